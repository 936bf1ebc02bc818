// The program's standard streams, and what it does when the system refuses it something.
#include <filesystem>

#include <gmock/gmock.h>
#include <sys/resource.h>

#include "support/bytes.h"
#include "support/journals.h"
#include "support/run_program.h"
#include "support/sanitized.h"
#include "support/temporary_folder.h"
#include "wordsway/run/machine.h"

namespace wordsway::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

// The program with streams redirected as a shell would: "2>/dev/full", ">&-".
ProgramResult run_redirected(const std::string& redirection, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"sh", "-c", "exec \"$0\" \"$@\" " + redirection};
  for (const std::string& argument : wordsway_command(arguments)) command.push_back(argument);
  return RunningProgram(command).finish();
}

ProgramResult run_limited(rlim_t address_space, const std::vector<std::string>& arguments) {
  return RunningProgram(wordsway_command(arguments), {},
                        [&] {
                          const struct rlimit limit = {address_space, address_space};
                          setrlimit(RLIMIT_AS, &limit);
                        })
      .finish();
}

TEST(StandardStreams, AJournalNeverTakesTheNumberOfAClosedOne) {
  const TemporaryFolder folder;
  const auto journal = folder.path("j.jsonl");
  const std::vector<std::string> study = {"measure", "--n",    "6,12",     "--d",   "16",    "--trials",      "20",
                                          "--data",  "sphere", "--format", "jsonl", "--out", journal.string()};
  const auto expected = timeless_rows(run_wordsway(study).out);
  ASSERT_EQ(expected.size(), 40U);
  const std::string content = read_bytes(journal);
  for (const std::string closed : {"2>&-", "2>&- <&-", "<&-"}) {
    // There is something to say here: how much is resumed.
    const ProgramResult again = run_redirected(closed, study);
    EXPECT_EQ(again.exit_code, 0) << closed << again.err;
    EXPECT_EQ(timeless_rows(again.out), expected) << closed;
    EXPECT_EQ(read_bytes(journal), content) << closed;
  }
  std::filesystem::remove(journal);
  EXPECT_EQ(run_redirected("<&- >&- 2>&-", study).exit_code, 4) << "nobody got the results";
  EXPECT_EQ(timeless_rows_of(journal), expected);
}

TEST(StandardStreams, ResultsThatNobodyGetsAreAnError) {
  const std::string text = "the film was good and the music was better than all that came before it in this theatre";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"list", "maps"},                         // a few bytes
                                             {"attention", text, "--format", "json"},  // many
                                             {"tokenize", text},
                                             {"measure", "--n", "6", "--d", "8", "--data", "sphere", "--dry-run"},
                                             {"--help"},
                                             {"measure", "--help"},
                                             {"--version"}}) {
    EXPECT_EQ(run_wordsway(arguments).exit_code, 0) << arguments[0];
    for (const std::string redirection : {">/dev/full", ">&-"}) {
      const ProgramResult result = run_redirected(redirection, arguments);
      EXPECT_EQ(result.exit_code, 4) << arguments[0] << redirection;
      EXPECT_THAT(result.err, HasSubstr("wordsway: standard output could not be written: "));
    }
  }
}

TEST(Version, NamesTheKernelsInUse) {
  EXPECT_EQ(run_wordsway({"--version"}).out, version_text() + "\n");
}

TEST(StandardStreams, NothingEndsForALineThatCannotBeLogged) {
  const std::vector<std::string> words = {"words", "hi"};
  const ProgramResult expected = run_wordsway(words);
  ASSERT_THAT(expected.err, HasSubstr("1 words"));
  for (const std::string redirection : {"2>/dev/full", "2>&-"}) {
    const ProgramResult result = run_redirected(redirection, words);
    EXPECT_EQ(result.exit_code, 0) << redirection;
    EXPECT_EQ(result.out, expected.out);
  }
  EXPECT_EQ(run_redirected("2>/dev/full", {"words", "--no-such-flag"}).exit_code, 2);
  EXPECT_EQ(run_redirected("2>/dev/full", {"info", "/no/such/folder"}).exit_code, 4);
}

TEST(RefusedByTheSystem, ManyThreadsInLittleMemoryAreNoCrash) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs more addresses than this";
  for (const rlim_t megabytes : {60, 100, 200, 400}) {
    const ProgramResult result =
        run_limited(megabytes << 20, {"measure", "--threads", "64", "--n", "10", "--trials", "50", "--data", "sphere"});
    EXPECT_THAT(result.exit_code, AnyOf(0, 4)) << megabytes << " MB: " << result.err;
    if (result.exit_code == 4) {
      EXPECT_THAT(result.err, HasSubstr("the system refused"));
    }
  }
}

TEST(RefusedByTheSystem, MemoryIsExit4WithASentence) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer needs more addresses than this";
  int refused = 0;
  // With less than 28 MB the libraries that the program is linked with do not fit, and it does not begin.
  for (const rlim_t megabytes : {32, 36, 40, 45, 50}) {
    const ProgramResult result = run_limited(megabytes << 20, {"words", "hi", "--threads", "1"});
    EXPECT_THAT(result.exit_code, AnyOf(0, 4)) << megabytes << " MB: " << result.err;
    if (result.exit_code == 0) continue;
    ++refused;
    EXPECT_THAT(result.out, IsEmpty());
    EXPECT_THAT(result.err, HasSubstr("the system refused memory"));
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace wordsway::test
