#include "wordsway/audit/words.h"

#include <gmock/gmock.h>

#include "support/places.h"

namespace wordsway {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

Model builtin() {
  static const Model model = load_model(test::source_folder() / "models/builtin");
  return model;
}

std::vector<WordSensitivity> measure(const std::string& text, const WordOptions& options = {}) {
  return word_sensitivities(builtin(), text, builtin().tokenizer->encode(text), options);
}

TEST(WordsOf, ATextKnowWhereTheyAreInCodePointsAndBytes) {
  const std::string text = "Café is  good!";
  const auto words = words_of(text, builtin().tokenizer->encode(text));
  std::vector<std::string> names;
  for (const Word& word : words) {
    names.push_back(word.text);
    EXPECT_EQ(text.substr(static_cast<size_t>(word.bytes[0]), static_cast<size_t>(word.bytes[1] - word.bytes[0])),
              word.text);
  }
  EXPECT_THAT(names, ElementsAre("Café", "is", "good", "!"));
  EXPECT_THAT(words[1].characters, ElementsAre(5, 7));
  EXPECT_THAT(words[1].bytes, ElementsAre(6, 8));  // é has two bytes
}

TEST(WordSensitivities, AreThoseOfTheirMostSensitiveToken) {
  const std::string text = "an unforgettable film";
  WordOptions options;
  options.output = {1, false};
  options.search = {.radius = {0.3}, .starts = 1, .tolerance = 1e-3};
  const auto words = measure(text, options);
  const ModelMap map(builtin().transformer, *options.output);
  const auto sample = map.at(builtin().transformer->embed(builtin().tokenizer->encode(text).ids).cast<double>());
  for (const WordSensitivity& found : words) {
    double most = 0;
    for (const Index token : found.word.tokens)
      most = std::max(most, measure_token(*sample, token, options.search, Stream(1).derive("words")).sensitivity);
    EXPECT_EQ(found.sensitivity, most) << found.word.text;
    EXPECT_THAT(found.word.tokens, testing::Contains(found.token));
    EXPECT_FALSE(found.average_move);
  }
}

TEST(WordSensitivities, ByPowerIterationsAreNeverAboveTheSearch) {
  WordOptions options;
  options.output = {1, false};
  options.search = {.radius = {0.1}, .starts = 4, .tolerance = 1e-7};
  const auto full = measure("a dull and noisy film", options);
  options.fast = true;
  const auto fast = measure("a dull and noisy film", options);
  ASSERT_EQ(fast.size(), full.size());
  for (size_t w = 0; w < full.size(); ++w) EXPECT_LE(fast[w].sensitivity, full[w].sensitivity * (1 + 1e-6));
}

TEST(WordSensitivities, AreAboveTheAverageMoveOfTheSameLength) {
  WordOptions options;
  options.output = {1, false};
  options.search.radius = {0.5};
  options.average = 5;
  for (const WordSensitivity& found : measure("a quiet film", options)) {
    EXPECT_GT(found.sensitivity, *found.average_move) << found.word.text;
    EXPECT_GT(*found.average_move, 0);
    EXPECT_GT(*found.average_replacement, 0);
  }
}

// The embedding would give every word the length of its own move, and no answer.
TEST(WordSensitivities, AreThoseOfTheLastLayerUnlessAnotherIsAskedFor) {
  WordOptions options;
  options.fast = true;
  const auto by_default = measure("a quiet film", options);
  options.output = parse_layer("last", *builtin().transformer);
  const auto of_last = measure("a quiet film", options);
  options.output = parse_layer("0", *builtin().transformer);
  const auto of_embedding = measure("a quiet film", options);
  for (size_t w = 0; w < of_last.size(); ++w) {
    EXPECT_EQ(by_default[w].sensitivity, of_last[w].sensitivity);
    EXPECT_NE(by_default[w].sensitivity, of_embedding[w].sensitivity);
  }
}

TEST(WordSensitivities, OfATextWithoutWordsAreNone) {
  EXPECT_THAT(measure(""), IsEmpty());
  EXPECT_THAT(measure("   "), IsEmpty());
}

TEST(WordSensitivities, TellEveryTokenThatIsDone) {
  std::vector<double> done;
  WordOptions options;
  options.fast = true;
  const std::string text = "two words";
  word_sensitivities(builtin(), text, builtin().tokenizer->encode(text), options,
                     [&](const ProgressEvent& event) { done.push_back(event.done); });
  EXPECT_THAT(done, ElementsAre(1, 2));
}

}  // namespace
}  // namespace wordsway
