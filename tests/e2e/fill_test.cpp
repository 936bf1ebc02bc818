// wordsway fill: that the built-in weights are real shows in the words they expect.
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.h"

namespace wordsway::test {
namespace {

using nlohmann::json;

std::vector<std::string> words(const json& rows) {
  std::vector<std::string> result;
  for (const json& row : rows) result.push_back(row["word"]);
  return result;
}

json fill(const std::string& text) {
  const auto run = run_wordsway({"fill", text, "--format", "json", "--quiet"});
  EXPECT_EQ(run.exit_code, 0) << run.err;
  return json::parse(run.out);
}

TEST(Fill, GivesTheFiveMostLikelyWords) {
  const json rows = fill("the movie was really [MASK]");
  ASSERT_EQ(rows.size(), 5U);
  double sum = 0;
  for (size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(rows[k]["token"], 5);
    const json& above = rows[k > 0 ? k - 1 : 0];
    EXPECT_LE(rows[k]["probability"], above["probability"]);
    sum += rows[k]["probability"].get<double>();
  }
  EXPECT_GT(sum, 0.2);
  EXPECT_LT(sum, 1);
  const auto found = words(rows);
  const std::set<std::string> likely(found.begin(), found.end());
  EXPECT_TRUE(likely.contains("good") && likely.contains("bad")) << rows.dump();
}

TEST(Fill, ListensToTheContext) {
  EXPECT_EQ(words(fill("this is one of the best [MASK] i have ever seen.")).front(), "movies");
  EXPECT_EQ(words(fill("the film was directed [MASK] a newcomer.")).front(), "by");
}

TEST(Fill, FillsEveryMask) {
  const json rows = fill("the [MASK] was good but the [MASK] was bad");
  ASSERT_EQ(rows.size(), 10U);
  EXPECT_EQ(rows[0]["token"], 2);
  EXPECT_EQ(rows[5]["token"], 7);
}

TEST(Fill, NumbersTheRowsOfSeveralTexts) {
  const auto run = run_wordsway({"fill", "a [MASK] film", "[MASK] it", "--top", "2", "--format", "json", "--quiet"});
  const json rows = json::parse(run.out);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[1]["text"], 0);
  EXPECT_EQ(rows[2]["text"], 1);
}

TEST(Fill, SaysWhatIsMissing) {
  const auto run = run_wordsway({"fill", "nothing is missing"});
  EXPECT_EQ(run.exit_code, 2);
  EXPECT_NE(run.err.find("write [MASK]"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace wordsway::test
