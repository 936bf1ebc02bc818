// What --dry-run promises against what then happens. Memory only: tests do not assert on time.
#include <gmock/gmock.h>

#include "support/run_program.h"
#include "support/sanitized.h"
#include "wordsway/io/json.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;

using Arguments = std::vector<std::string>;

class DryRunTest : public testing::TestWithParam<Arguments> {};

Record dry_run(Arguments arguments) {
  arguments.insert(arguments.end(), {"--dry-run", "--format", "json"});
  return record_from_json(run_wordsway(arguments).out);
}

TEST_P(DryRunTest, KnowsTheMemoryWithinAFactorOfThree) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer holds memory of its own";
  const Record estimate = dry_run(GetParam());
  const Record least = dry_run({"measure", "--data", "sphere", "--n", "2", "--d", "2", "--trials", "1"});
  const double promised = estimate.number("expected_memory_bytes") - least.number("expected_memory_bytes");
  const double before =
      run_wordsway({"measure", "--data", "sphere", "--n", "2", "--d", "2", "--trials", "1"}).peak_rss_bytes;
  const double grown = run_wordsway(GetParam()).peak_rss_bytes - before;
  EXPECT_GT(promised, grown / 3);
  EXPECT_LT(promised, grown * 3);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, DryRunTest,
    testing::Values(Arguments{"measure", "--map", "raf", "--n", "500", "--d", "768", "--trials", "2", "--steps", "5"},
                    Arguments{"measure", "--map", "raf", "--n", "1500", "--d", "256", "--trials", "3", "--steps", "5"},
                    Arguments{"measure", "--map", "raf", "--n", "100", "--d", "1500", "--trials", "1", "--steps", "5"},
                    Arguments{"measure", "--map", "raf", "--n", "300", "--d", "512", "--trials", "1", "--threads", "1",
                              "--token", "all", "--starts", "1", "--steps", "1"}));

TEST(DryRun, CountsPointsAndTrialsAndRunsNoStudy) {
  const Record estimate = dry_run({"measure", "--n", "10,20,40", "--d", "16,32", "--trials", "7"});
  EXPECT_EQ(estimate.number("points"), 6);
  EXPECT_EQ(estimate.number("trials"), 42);
  EXPECT_GT(estimate.number("expected_seconds"), 0);
  const ProgramResult table = run_wordsway({"measure", "--n", "10", "--d", "16", "--dry-run"});
  EXPECT_EQ(table.exit_code, 0);
  for (const char* line : {"points", "trials", "expected time", "expected memory"})
    EXPECT_THAT(table.out, HasSubstr(line));
}

}  // namespace
}  // namespace wordsway::test
