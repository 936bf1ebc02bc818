// `wordsway opposites`: synonyms against opposites in the user's sentences, or in everyday ones.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/bytes.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

using Json = nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

TEST(OppositesCommand, HasARowForEveryEverydaySentence) {
  const ProgramResult result = run_wordsway({"opposites", "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json rows = Json::parse(result.out);
  EXPECT_EQ(rows.size(), 16U) << "a sentence without a word that has both, or with two";
  for (const Json& row : rows) {
    EXPECT_EQ(row.at("missed"), row.at("antonym_change") < row.at("synonym_change")) << row;
    EXPECT_THAT(row.at("sentence").get<std::string>(), HasSubstr(row.at("word").get<std::string>()));
    EXPECT_LE(row.at("antonym_cosine"), 1.000001);
  }
}

TEST(OppositesCommand, GivesTheNumbersOfSubstitute) {
  const std::string text = "I want to buy a ticket";
  const ProgramResult result = run_wordsway({"opposites", text, "--format", "json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json row = Json::parse(result.out).at(0);
  for (const auto& [relation, candidates] : {std::pair{"synonym", "synonyms"}, {"antonym", "antonyms"}}) {
    const ProgramResult other = run_wordsway(
        {"substitute", text, "--word", "buy", "--candidates", candidates, "--layer", "pooled", "--format", "json"});
    ASSERT_EQ(other.exit_code, 0) << other.err;
    bool found = false;
    for (const Json& one : Json::parse(other.out))
      if (one.at("replacement") == row.at(relation)) {
        found = true;
        EXPECT_DOUBLE_EQ(one.at("change").get<double>(), row.at(std::string(relation) + "_change").get<double>());
      }
    EXPECT_TRUE(found) << relation;
  }
}

TEST(OppositesCommand, SaysInATableHowManyOppositesWouldMerge) {
  const ProgramResult result = run_wordsway({"opposites", "--threshold", "-1", "I want to buy a ticket"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("purchase"), HasSubstr("sell"), HasSubstr("would answer 1 of 1 opposites")));
  const ProgramResult decoder = run_wordsway({"opposites", "-m", "builtin-decoder", "I want to buy a ticket"});
  ASSERT_EQ(decoder.exit_code, 0) << decoder.err;
  EXPECT_THAT(decoder.out, AllOf(HasSubstr("antonym_divergence"), testing::Not(HasSubstr("cosine"))));
}

TEST(OppositesCommand, DrawsALineAtTheThreshold) {
  const TemporaryFolder folder;
  const std::string svg = folder.path("a.svg").string();
  ASSERT_EQ(run_wordsway({"opposites", "--chart", svg, "--threshold", "0.95"}).exit_code, 0);
  EXPECT_THAT(read_bytes(svg), AllOf(HasSubstr("cosine ≥ 0.95"), HasSubstr("[cheap]"), HasSubstr("expensive")));
}

TEST(OppositesCommand, RefusesTextsWithoutSuchAWord) {
  const ProgramResult result = run_wordsway({"opposites", "xyzzy plugh"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr("no word of the texts has both a synonym and an opposite"));
}

}  // namespace
}  // namespace wordsway::test
