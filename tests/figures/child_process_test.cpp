// Other programs, fed and listened to.
#include "wordsway/figures/child_process.h"

#include <cerrno>

#include <gmock/gmock.h>
#include <unistd.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"

namespace wordsway {
namespace {

ChildResult run_shell(const std::string& script, const std::string& input = "") {
  return run_child({"sh", "-c", script}, input);
}

TEST(ChildProcess, HearsBothStreamsAndTheExitCode) {
  const ChildResult result = run_shell("cat; echo trouble >&2; exit 7", "a text");
  EXPECT_EQ(result.start_error, 0);
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_EQ(result.out, "a text");
  EXPECT_EQ(result.err, "trouble\n");
  EXPECT_EQ(run_shell("kill -9 $$").exit_code, 128 + 9);
}

TEST(ChildProcess, NeverWaitsForAStreamThatNobodyServes) {
  const std::string large(3'000'000, 'x');
  const ChildResult result =
      run_shell("head -c 2000000 /dev/zero >&2; head -c 2000000 /dev/zero; cat; head -c 1000000 /dev/zero >&2", large);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.size(), 5'000'000U);
  EXPECT_EQ(result.err.size(), 3'000'000U);
}

TEST(ChildProcess, SurvivesAProgramThatEndsBeforeItHasReadAll) {
  const ChildResult result = run_shell("exit 3", std::string(3'000'000, 'x'));
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(run_shell("exec <&-; echo still here", std::string(3'000'000, 'x')).out, "still here\n");
}

TEST(ChildProcess, SaysWhyAProgramCannotBeStarted) {
  EXPECT_EQ(run_child({"wordsway-no-such-program"}, "").start_error, ENOENT);
  const test::TemporaryFolder folder;
  test::write_bytes(folder.path("text"), "no program");
  EXPECT_EQ(run_child({folder.path("text").string()}, "").start_error, EACCES);
}

// Descriptors of the channels would be 0, 1 and 2 then, which the child's own streams overwrite.
TEST(ChildProcess, WorksWhereStandardStreamsAreClosed) {
  EXPECT_EXIT(
      {
        for (const int stream : {0, 1, 2}) close(stream);
        const ChildResult result = run_shell("cat; cat >&2 /dev/null", "a text");
        _exit(result.start_error == 0 && result.out == "a text" && result.err.empty() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace wordsway
