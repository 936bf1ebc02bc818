// Synonyms and opposites in built-in sentences: rows against texts embedded by themselves.
#include "wordsway/study/opposites_study.h"

#include <set>

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

OppositesConfig small_study() {
  static const Model encoder = load_model(test::source_folder() / "models/builtin");
  static const Model decoder = load_model(test::source_folder() / "models/builtin-decoder");
  OppositesConfig config;
  config.models = {{"encoder", encoder, {.output = parse_layer("pooled", *encoder.transformer)}},
                   {"decoder", decoder, {.output = parse_layer("logits", *decoder.transformer), .prompt = "Review: "}}};
  config.words = two_way_words(review_sentences(0, 20), 2);
  return config;
}

bool is_missed(const Record& row) {
  return std::get<bool>(*row.find("missed"));
}

TEST(TwoWayWords, HaveBothASynonymAndAnOppositeAndNoSentenceTwice) {
  const auto sentences = review_sentences(0, 40);
  const auto words = two_way_words(sentences, 2);
  ASSERT_GT(words.size(), 10U);
  std::set<std::string> seen;
  std::multiset<std::string> lemmas;
  for (const TwoWayWord& one : words) {
    EXPECT_EQ(one.sentence.substr(static_cast<size_t>(one.place[0]), one.word.size()), one.word);
    EXPECT_FALSE(one.synonym.empty() || one.antonym.empty()) << one.word;
    EXPECT_TRUE(seen.insert(one.lemma + one.sentence).second) << one.sentence;
    lemmas.insert(one.lemma);
    EXPECT_LE(lemmas.count(one.lemma), 2U) << one.lemma;
  }
  EXPECT_GT(two_way_words(sentences, 4).size(), words.size());
}

TEST(OppositesStudy, HasTheChangesOfTheTextsWithTheWordReplaced) {
  const OppositesConfig config = small_study();
  const OppositesStudy study(config);
  const std::vector<TwoWayWord>& words = config.words;
  ASSERT_EQ(study.size(), static_cast<Index>(2 * words.size()));
  for (const Index task : {Index{0}, static_cast<Index>(words.size()) - 1, static_cast<Index>(words.size())}) {
    const Record row = study.run(task).front();
    const JudgedModel& judged = config.models[static_cast<size_t>(task) / words.size()];
    const TwoWayWord& at = words[static_cast<size_t>(task) % words.size()];
    EXPECT_EQ(row.text("model"), judged.name);
    EXPECT_EQ(row.text("sentence"), at.sentence);
    const ChangedText text(judged.model, at.sentence, judged.change);
    for (size_t w = 0; w < text.words().size(); ++w) {
      if (text.words()[w].bytes != at.place) continue;
      const std::vector<WordEdit> edits = {{w, at.synonym}, {w, at.antonym}};
      const auto changes = text.evaluate(edits);
      EXPECT_DOUBLE_EQ(*magnitude_of(row, "synonym"), changes[0]->magnitude());
      EXPECT_DOUBLE_EQ(*magnitude_of(row, "antonym"), changes[1]->magnitude());
      EXPECT_EQ(is_missed(row), changes[1]->magnitude() < changes[0]->magnitude());
    }
  }
}

TEST(OppositesStudy, ShufflesItsLabelsByTheSeedAlikeForEveryModel) {
  OppositesConfig config = small_study();
  const OppositesStudy study(config);
  const Index words = study.size() / 2;
  Index swapped = 0;
  for (Index word = 0; word < words; ++word) {
    const bool one = std::get<bool>(*study.run(word).front().find("swapped"));
    EXPECT_EQ(one, std::get<bool>(*study.run(words + word).front().find("swapped")));
    swapped += one ? 1 : 0;
  }
  EXPECT_GT(swapped, 0);
  EXPECT_LT(swapped, words);
}

TEST(OppositesStudy, NeedsModelsAndWords) {
  OppositesConfig config = small_study();
  config.models.clear();
  EXPECT_THROW(OppositesStudy{config}, UsageError);
  config = small_study();
  config.words.clear();
  EXPECT_THROW(OppositesStudy{config}, UsageError);
}

}  // namespace
}  // namespace wordsway
