// wordsway words and substitute, as users call them.
#include <fstream>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/bytes.h"
#include "support/places.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

using json = nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string& sentence_model() {
  static const std::string folder = (source_folder() / "tests/golden/sentence/bert-concat").string();
  return folder;
}

json rows_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.end(), {"--format", "json", "--quiet"});
  const ProgramResult result = run_wordsway(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  json answer = json::parse(result.out);
  return answer.is_object() && answer.contains("rows") ? answer["rows"] : answer;
}

std::vector<std::string> keys_of(const json& row, const std::string& text) {
  // nlohmann sorts keys; the order is that of the printed text.
  std::vector<std::pair<size_t, std::string>> keys;
  for (const auto& [key, value] : row.items()) keys.emplace_back(text.find('"' + key + '"'), key);
  std::sort(keys.begin(), keys.end());
  std::vector<std::string> result;
  for (const auto& [place, key] : keys) result.push_back(key);
  return result;
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& why) {
  const ProgramResult result = run_wordsway(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.out;
  EXPECT_THAT(result.err, HasSubstr(why));
}

TEST(WordsCommand, HasTheColumnsOfTheContract) {
  const ProgramResult last = run_wordsway({"words", "a good film", "--format", "jsonl", "--quiet"});
  EXPECT_THAT(keys_of(json::parse(last.out.substr(0, last.out.find('\n'))), last.out),
              ElementsAre("word", "sensitivity", "typical", "worst_word", "worst_change", "synonym", "synonym_change",
                          "antonym", "antonym_change", "dropped", "token", "tokens", "begin", "end"));
  const ProgramResult pooled =
      run_wordsway({"words", "a good film", "--layer", "pooled", "--fast", "--format", "jsonl", "--quiet"});
  EXPECT_THAT(keys_of(json::parse(pooled.out.substr(0, pooled.out.find('\n'))), pooled.out),
              ElementsAre("word", "sensitivity", "typical", "worst_word", "worst_change", "synonym", "synonym_change",
                          "antonym", "antonym_change", "dropped", "typical_cosine", "worst_cosine", "synonym_cosine",
                          "antonym_cosine", "dropped_cosine", "token", "tokens", "begin", "end"));
}

TEST(WordsCommand, FillsTheSensitivityOfOtherModelsOnRequestAlone) {
  const auto first = [](std::vector<std::string> more) {
    std::vector<std::string> arguments = {"words", "the old film", "-m", sentence_model()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return rows_of(arguments)[0];
  };
  const json plain = first({}), fast = first({"--fast"}), full = first({"--ball"});
  EXPECT_TRUE(plain["sensitivity"].is_null());
  ASSERT_TRUE(fast["sensitivity"].is_number());
  EXPECT_GE(full["sensitivity"], fast["sensitivity"]);
  EXPECT_EQ(plain["typical"], full["typical"]);
  EXPECT_TRUE(rows_of({"words", "the old film"})[0]["sensitivity"].is_number());
  expect_refused({"words", "a film", "--fast", "--ball"}, "give one of them");
}

// A film that is as good as bad: the opposite of one word, and the synonyms of three.
TEST(WordsCommand, SaysHowOftenTheOppositeMovedTheModelLess) {
  const std::string text = "It is a big old film, and we loved it";
  const json answer = json::parse(run_wordsway({"words", text, "--format", "json", "--quiet"}).out);
  int both = 0, less = 0;
  for (const json& row : answer["rows"]) {
    if (row["synonym"].is_null() || row["antonym"].is_null()) continue;
    ++both;
    less += row["antonym_change"] < row["synonym_change"];
  }
  EXPECT_EQ(answer["noticed"]["words"], both);
  EXPECT_EQ(answer["noticed"]["opposite_moved_less"], less);
  EXPECT_GE(answer["noticed"]["high"], answer["noticed"]["low"]);
}

TEST(WordsCommand, TakesItsCandidatesFromAFileOfWordsAndGroups) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("words.txt")) << "book\ngood\tdreadful\tsuperb\n";
  const json rows = rows_of({"substitute", "a good film", "--candidates", folder.path("words.txt").string()});
  std::map<std::string, std::set<std::string>> tried;
  for (const json& row : rows) tried[row["word"]].insert(row["replacement"].get<std::string>());
  EXPECT_THAT(tried["film"], ElementsAre("book"));
  EXPECT_THAT(tried["good"], ElementsAre("book", "dreadful", "superb"));
}

TEST(WordsCommand, HasNoTrialsToRepeat) {
  expect_refused({"words", "a film", "--trials", "2"}, "--trials 2: ");
  EXPECT_EQ(run_wordsway({"words", "a film", "--trials", "1"}).exit_code, 0);
  EXPECT_THAT(run_wordsway({"words", "--help"}).out, testing::Not(HasSubstr("--trials")));
}

class WordCorpus : public testing::Test {
 protected:
  WordCorpus() {
    write_bytes(texts_, "a good film\n\nturn off the light\n");
    write_bytes(others_, "a good film\n\nturn on the light\n");
  }

  TemporaryFolder folder_;
  std::string texts_ = folder_.path("texts.txt").string(), others_ = folder_.path("others.txt").string(),
              journal_ = folder_.path("run.jsonl").string();
};

TEST_F(WordCorpus, IsPrintedTextByTextAndGoesOnFromItsJournal) {
  const std::vector<std::string> words = {"words", "-i", texts_, "--fast", "--out", journal_, "--format", "csv"};
  const ProgramResult once = run_wordsway(words);
  ASSERT_EQ(once.exit_code, 0) << once.err;
  EXPECT_THAT(once.out, AllOf(HasSubstr("text,word,sensitivity"), HasSubstr("\n0,film,"), HasSubstr("\n2,light,")));
  const ProgramResult again = run_wordsway(words);
  EXPECT_EQ(again.out, once.out);
  EXPECT_THAT(again.err, HasSubstr("2 of 2 trials are there already"));
  const ProgramResult alone = run_wordsway({"words", "turn off the light", "--fast", "--format", "csv", "--quiet"});
  const std::string row = alone.out.substr(alone.out.find("\nlight,") + 1);
  EXPECT_THAT(once.out, HasSubstr("2," + row));
}

TEST_F(WordCorpus, IsNotResumedForOtherTextsSeedsOrQuestions) {
  ASSERT_EQ(run_wordsway({"words", "-i", texts_, "--fast", "--out", journal_}).exit_code, 0);
  expect_refused({"words", "-i", others_, "--fast", "--out", journal_}, "texts");
  expect_refused({"words", "-i", texts_, "--fast", "--seed", "2", "--out", journal_}, "seed");
  expect_refused({"words", "-i", texts_, "--layer", "1", "--fast", "--out", journal_}, "layer");
  expect_refused({"substitute", "-i", texts_, "--out", journal_}, "words");
}

TEST_F(WordCorpus, MayBeAskedWhatItWouldCost) {
  const ProgramResult result = run_wordsway({"words", "-i", texts_, "--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, Not(HasSubstr("film")));
}

// Scripts of before, which limited the evaluations of a screening, still screen the vocabulary.
TEST(SubstituteCommand, ALimitOnEvaluationsIsForManyCandidates) {
  const json rows = rows_of({"substitute", "a good film", "--word", "good", "--evaluations", "70"});
  EXPECT_TRUE(rows[0]["screened_rank"].is_number());
  EXPECT_TRUE(rows[0]["relation"].is_null());
  expect_refused({"substitute", "a good film", "--candidates", "alike", "--evaluations", "70"},
                 "--evaluations and --exhaustive are for --candidates all and plausible");
  expect_refused({"substitute", "a good film", "--candidates", "antonyms", "--exhaustive"}, "are for --candidates all");
}

TEST(SubstituteCommand, HasTheColumnsOfTheContract) {
  const ProgramResult result =
      run_wordsway({"substitute", "a good film", "--word", "good", "--layer", "1", "--candidates", "all",
                    "--evaluations", "70", "--format", "jsonl", "--quiet"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json first = json::parse(result.out.substr(0, result.out.find('\n')));
  EXPECT_THAT(keys_of(first, result.out), ElementsAre("word", "token", "replacement", "change", "cosine",
                                                      "plausibility", "relation", "screened_rank"));
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 5);
  EXPECT_EQ(first["word"], "good");
  EXPECT_EQ(first["token"], 2);
  EXPECT_TRUE(first["screened_rank"].is_number());
  EXPECT_TRUE(first["cosine"].is_null());
}

TEST(SubstituteCommand, TakesWordsOfOnesOwn) {
  const TemporaryFolder folder;
  write_bytes(folder.path("words.txt"), "bad\nunforgettable\n");
  const json rows = rows_of({"substitute", "a good film", "--word", "GOOD", "--layer", "pooled", "--candidates",
                             folder.path("words.txt").string()});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_GE(rows[0]["change"], rows[1]["change"]);
  EXPECT_TRUE(rows[0]["cosine"].is_number());
}

TEST(SubstituteCommand, TellsWhichWordsCanBeSwappedWithinAThreshold) {
  const std::vector<std::string> ask = {
      "substitute", "it was good before noon on Monday", "--layer", "pooled", "--evaluations", "20", "--threshold"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), ask.begin(), ask.end());
    return rows_of(more);
  };
  const json rows = with({"0.9", "--unit", "cosine"});
  ASSERT_EQ(rows.size(), 7U);
  for (size_t k = 0; k < rows.size(); ++k) {
    if (rows[k]["replacement"].is_null()) continue;
    EXPECT_GE(rows[k]["cosine"], 0.9);
    EXPECT_GE(rows[k]["swaps"], 1);
    EXPECT_LE(rows[k]["harm"], rows[k > 0 ? k - 1 : 0]["harm"]);
  }
  EXPECT_EQ(with({"0.1", "--unit", "distance"}), rows);
  EXPECT_EQ(with({"0.95", "--unit", "score01"}), rows);
  for (const json& row : with({"0", "--unit", "distance"})) EXPECT_TRUE(row["replacement"].is_null());
}

TEST(SubstituteCommand, AsksBackWhatItCannotKnow) {
  expect_refused({"substitute", "a film", "--layer", "pooled", "--threshold", "0.8"}, "give --unit");
  expect_refused({"substitute", "a film", "--threshold", "0.8", "--unit", "cosine"}, "--layer pooled");
  expect_refused({"substitute", "a film", "--layer", "pooled", "--threshold", "3", "--unit", "cosine"}, "from -1 to 1");
  expect_refused({"substitute", "a film", "--word", "movie"}, "has no word 'movie'; it begins with: a film");
  expect_refused({"substitute", "a film", "--token", "0"}, "belongs to no word");
  expect_refused({"substitute", "a film", "--word", "film", "--token", "2"}, "not both");
  expect_refused({"substitute", "a film", "--unit", "cosine"}, "--threshold");
}

}  // namespace
}  // namespace wordsway::test
