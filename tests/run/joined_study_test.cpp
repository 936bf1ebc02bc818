#include "wordsway/run/joined_study.h"

#include <gmock/gmock.h>

#include "support/small_study.h"
#include "support/temporary_folder.h"
#include "wordsway/run/run_study.h"

namespace wordsway::test {
namespace {

std::shared_ptr<SmallStudy> part(Index tasks, Index rows_each, std::int64_t seed) {
  auto study = std::make_shared<SmallStudy>();
  study->tasks = tasks;
  study->rows_each = rows_each;
  study->seed = seed;
  return study;
}

TEST(JoinedStudy, HasTheTasksOfAllItsParts) {
  const JoinedStudy study("part", {{"a", part(2, 1, 1)}, {"b", part(3, 2, 1)}});
  EXPECT_EQ(study.size(), 5);
  EXPECT_EQ(study.row_count(1), 1);
  EXPECT_EQ(study.row_count(2), 2);
  EXPECT_EQ(study.key(1).text("part"), "a");
  EXPECT_EQ(study.key(2).text("part"), "b");
  EXPECT_EQ(study.key(4).number("trial"), 2);
  const StudyResult result = run_study(study);
  ASSERT_EQ(result.rows.size(), 8U);
  EXPECT_EQ(result.rows.back().text("part"), "b");
  EXPECT_EQ(result.rows.back().fields().front().first, "part");
}

TEST(JoinedStudy, SaysOnceWhatItsPartsShareAndEachWhatTheyDoNot) {
  const Record config = JoinedStudy("part", {{"a", part(2, 1, 1)}, {"b", part(2, 1, 7)}}).config();
  EXPECT_EQ(config.number("tasks"), 2);
  EXPECT_EQ(config.find("seed"), nullptr);
  EXPECT_EQ(config.number("seed_0"), 1);
  EXPECT_EQ(config.number("seed_1"), 7);
  EXPECT_EQ(config.text("part_1"), "b");
}

TEST(JoinedStudy, Resumes) {
  const TemporaryFolder folder;
  const JoinedStudy study("part", {{std::int64_t{1}, part(2, 2, 1)}, {std::int64_t{2}, part(2, 2, 1)}});
  RunOptions options;
  options.journal = folder.path("run.jsonl");
  const StudyResult first = run_study(study, options), second = run_study(study, options);
  EXPECT_EQ(second.resumed, 4);
  EXPECT_EQ(second.rows, first.rows);
}

}  // namespace
}  // namespace wordsway::test
