#include "wordsway/audit/words.h"

#include <cmath>

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/related_words.h"
#include "wordsway/audit/substitute.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

const Model& builtin() {
  static const Model model = load_model(test::source_folder() / "models/builtin");
  return model;
}

const CandidateWords& candidates() {
  static const CandidateWords words(builtin(), nullptr);
  return words;
}

ModelOutput output(const std::string& name) {
  return parse_layer(name, *builtin().transformer);
}

std::vector<WordEffect> effects(const std::string& text, const WordOptions& options, const Progress& progress = {}) {
  return word_effects(candidates(), ChangedText(builtin(), text, options.change), options, progress);
}

// The ball alone.
WordOptions ball(BallSearch search, const std::string& layer = "1") {
  WordOptions options;
  options.change.output = output(layer);
  options.replacements = 0;
  options.ball = search;
  options.search = {.radius = {0.3}, .starts = 1, .tolerance = 1e-3};
  return options;
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

Model model_with_tokenizer(const std::string& folder) {
  return {builtin().transformer, load_tokenizer(test::source_folder() / "tests/golden/tokenizers" / folder)};
}

std::vector<Word> words_with(const std::string& folder, const std::string& text) {
  const Model model = model_with_tokenizer(folder);
  return words_of(text, encode_texts(model, std::vector<LabelledText>{{text, std::nullopt, "0"}}).front());
}

std::vector<std::string> names_of_words(const std::string& folder, const std::string& text) {
  std::vector<std::string> names;
  for (const Word& word : words_with(folder, text)) names.push_back(word.text);
  return names;
}

// The tokenizer of Llama 2 takes all of it for one word.
TEST(WordsOf, ATextThatTheTokenizerDoesNotSplitStandBetweenSpaces) {
  const std::string text = "the unforgettable  café, and\nthe end";
  EXPECT_THAT(names_of_words("llama2", text), ElementsAre("the", "unforgettable", "café,", "and", "\n", "the", "end"));
  EXPECT_THAT(names_of_words("llama2", "  two"), ElementsAre("two"));
  EXPECT_THAT(names_of_words("llama2", " "), ElementsAre(" "));
  EXPECT_THAT(names_of_words("llama3", "the unforgettable café"), ElementsAre("the", "unforgettable", "café"));
}

// Rows before a word are compared with themselves, also where the tokenizer splits nothing.
TEST(WordEffects, OfALastWordLeftOutAreItsMissingRows) {
  for (const char* folder : {"llama2", "llama3"}) {
    const Model model = model_with_tokenizer(folder);
    const ChangedText text(model, "the film was unforgettable", {output("0"), {}});
    const Word& last = text.words().back();
    const MatrixF x = model.transformer->embed(model.tokenizer->encode("the film was unforgettable").ids);
    double missing = 0;
    for (const Index token : last.tokens) missing += x.row(token).cast<double>().squaredNorm();
    const auto changes = text.evaluate(std::vector<WordEdit>{{text.words().size() - 1, ""}});
    EXPECT_NEAR(changes.front()->change, std::sqrt(missing) / x.cast<double>().norm(), 1e-6) << folder;
  }
}

TEST(WordEffects, HaveTheSensitivityOfTheirMostSensitiveToken) {
  const std::string text = "an unforgettable film";
  const WordOptions options = ball(BallSearch::kFull);
  const ModelMap map(builtin().transformer, *options.change.output);
  const auto sample = map.at(builtin().transformer->embed(builtin().tokenizer->encode(text).ids).cast<double>());
  for (const WordEffect& found : effects(text, options)) {
    double most = 0;
    for (const Index token : found.word.tokens)
      most = std::max(most, measure_token(*sample, token, options.search, Stream(1).derive("words")).sensitivity);
    EXPECT_EQ(found.sensitivity, most) << found.word.text;
    EXPECT_THAT(found.word.tokens, Contains(found.token));
    EXPECT_FALSE(found.typical);
  }
}

// Exactly: the full search begins with the power iterations.
TEST(WordEffects, OfTheFullSearchAreNeverBelowThoseOfPowerIterations) {
  for (const double radius : {0.1, 1.0}) {
    WordOptions options = ball(BallSearch::kFull, "last");
    options.search = {.radius = {radius}};
    const auto full = effects("a dull and noisy film", options);
    options.ball = BallSearch::kPower;
    const auto fast = effects("a dull and noisy film", options);
    ASSERT_EQ(fast.size(), full.size());
    for (size_t w = 0; w < full.size(); ++w) EXPECT_LE(*fast[w].sensitivity, *full[w].sensitivity);
  }
}

TEST(WordEffects, HaveASensitivityAboveRandomMovesOfTheSameLength) {
  const std::string text = "a quiet film";
  WordOptions options = ball(BallSearch::kFull);
  options.search.radius = {0.5};
  const ModelMap map(builtin().transformer, *options.change.output);
  const auto sample = map.at(builtin().transformer->embed(builtin().tokenizer->encode(text).ids).cast<double>());
  for (const WordEffect& found : effects(text, options)) {
    Matrix moves(5, sample->X().cols());
    for (Index k = 0; k < moves.rows(); ++k)
      moves.row(k) = gaussian_vector(Stream(1).derive(static_cast<std::uint64_t>(k)), moves.cols()).transpose();
    moves.rowwise().normalize();
    const double radius = options.search.radius.of(sample->X().row(found.token));
    for (const double squared : sample->token(found.token)->change()->values(radius * moves)) {
      EXPECT_GT(squared, 0);
      EXPECT_GT(*found.sensitivity, std::sqrt(squared) / sample->feature_norm()) << found.word.text;
    }
  }
}

TEST(WordEffects, AreThoseOfTheLastLayerUnlessAnotherIsAskedFor) {
  WordOptions options = ball(BallSearch::kPower, "last");
  const auto of_last = effects("a quiet film", options);
  options.change.output = std::nullopt;
  const auto by_default = effects("a quiet film", options);
  options.change.output = output("0");
  const auto of_embedding = effects("a quiet film", options);
  for (size_t w = 0; w < of_last.size(); ++w) {
    EXPECT_EQ(by_default[w].sensitivity, of_last[w].sensitivity);
    EXPECT_NE(by_default[w].sensitivity, of_embedding[w].sensitivity);
  }
}

TEST(WordEffects, OfATextWithoutWordsAreNone) {
  EXPECT_THAT(effects("", {}), IsEmpty());
  EXPECT_THAT(effects("   ", {}), IsEmpty());
}

TEST(WordEffects, TellEveryTokenThatIsDone) {
  std::vector<double> done;
  effects("two words", ball(BallSearch::kPower), [&](const ProgressEvent& event) { done.push_back(event.done); });
  EXPECT_THAT(done, ElementsAre(1, 2));
}

WordOptions few_replacements(const std::string& layer) {
  WordOptions options;
  options.change.output = output(layer);
  options.source = CandidateSource::kAll;
  options.replacements = 8;
  return options;
}

TEST(WordEffects, AreTheMeanOfWordsThatFitAndAtLeastTheWorstOfThem) {
  const std::string text = "The film was not good in 1999.";
  const WordOptions options = few_replacements("pooled");
  const ChangedText changed(builtin(), text, options.change);
  const auto fitting = candidates().plausible(text, changed.words(), 8, Stream(options.seed).derive("replacements"));
  const auto found = effects(text, options);
  ASSERT_EQ(found.size(), fitting.size());
  for (size_t w = 0; w < found.size(); ++w) {
    double sum = 0, cosines = 0, most = 0;
    for (const Candidate& candidate : fitting[w]) {
      const std::vector<WordEdit> edit = {{w, with_capitals_of(changed.words()[w].text, candidate.text)}};
      const auto change = changed.evaluate(edit).front();
      sum += change->change;
      cosines += *change->cosine;
      most = std::max(most, change->change);
    }
    ASSERT_FALSE(fitting[w].empty());
    const auto count = static_cast<double>(fitting[w].size());
    EXPECT_NEAR(found[w].typical->change, sum / count, 1e-12);
    EXPECT_NEAR(*found[w].typical->cosine, cosines / count, 1e-12);
    EXPECT_GE(found[w].worst->change, most);
    const std::vector<WordEdit> worst = {{w, *found[w].worst_word}}, without = {{w, ""}};
    EXPECT_EQ(changed.evaluate(worst).front()->change, found[w].worst->change);
    EXPECT_EQ(changed.evaluate(without).front()->change, found[w].dropped->change);
  }
}

// By default the words come from the lexicon, in the form that the place needs.
TEST(WordEffects, OfWordsAlikeSynonymsAndOpposites) {
  const std::string text = "It was a good film";
  const ChangedText changed(builtin(), text);
  const auto found = effects(text, {});
  const auto change_by = [&](size_t word, const std::string& replacement, std::optional<std::string> article = {}) {
    const std::vector<WordEdit> edit = {{word, replacement, std::move(article)}};
    return changed.evaluate(edit).front()->change;
  };
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[4].synonym, "movie");
  EXPECT_EQ(found[4].by_synonym->change, change_by(4, "movie"));
  EXPECT_FALSE(found[4].antonym || found[4].by_antonym);
  EXPECT_EQ(found[3].antonym, "bad");
  EXPECT_EQ(found[3].by_antonym->change, change_by(3, "bad"));
  const auto entry = related_words(candidates(), changed)[3];
  ASSERT_GE(entry.alike.size(), 5U);
  double sum = 0, most = 0;
  for (const std::string& word : entry.alike) {
    const bool vowel = std::string("aeiou").find(word.front()) != std::string::npos;
    const double change = change_by(3, word, vowel ? std::optional<std::string>("an") : std::nullopt);
    sum += change;
    most = std::max(most, change);
  }
  EXPECT_NEAR(found[3].typical->change, sum / static_cast<double>(entry.alike.size()), 1e-12);
  EXPECT_EQ(found[3].worst->change, most);
}

TEST(RelatedWords, AnArticleBeforeAReplacementIsAdjusted) {
  const ChangedText changed(builtin(), "It was a good film");
  const WordEdit edit = edit_by_lexicon(&english_lexicon(), changed, 3, "excellent");
  EXPECT_EQ(changed.with(edit), "It was an excellent film");
  EXPECT_EQ(changed.with(edit_by_lexicon(&english_lexicon(), changed, 3, "bad")), "It was a bad film");
  EXPECT_EQ(changed.with(edit_by_lexicon(nullptr, changed, 3, "excellent")), "It was a excellent film");
  // The rows of the article and of the word are compared with those of the same places.
  const std::vector<WordEdit> by_hand = {{3, "excellent"}}, adjusted = {edit};
  EXPECT_GT(changed.evaluate(adjusted).front()->change, 0);
  EXPECT_NE(changed.evaluate(adjusted).front()->change, changed.evaluate(by_hand).front()->change);
}

TEST(RelatedWords, AreOfSimilarFrequencyInALanguageWithoutALexicon) {
  const ChangedText changed(builtin(), "Der Film hat mir leider nicht gefallen");
  const auto entries = related_words(candidates(), changed);
  for (const LexiconEntry& entry : entries) {
    EXPECT_TRUE(entry.synonyms.empty() && entry.antonyms.empty());
    EXPECT_LE(entry.alike.size(), 24U);
  }
  EXPECT_FALSE(entries[1].alike.empty());  // "Film" is a token of the vocabulary
}

TEST(WordEffects, AreTheSameWithAnyNumberOfThreadsAndOthersForAnotherSeed) {
  const std::string text = "a quiet film";
  WordOptions options = few_replacements("last");
  const auto once = effects(text, options);
  set_thread_count(1);
  const auto alone = effects(text, options);
  set_thread_count(2);
  options.seed = 2;
  const auto other = effects(text, options);
  for (size_t w = 0; w < once.size(); ++w) {
    EXPECT_EQ(once[w].typical->change, alone[w].typical->change);
    EXPECT_EQ(once[w].worst_word, alone[w].worst_word);
    EXPECT_NE(once[w].typical->change, other[w].typical->change);
  }
}

TEST(WordEffects, AreSeenAsTheyBecomeKnownAndTheSameInTheEnd) {
  WordOptions options;
  options.source = CandidateSource::kAll;
  options.replacements = 8;
  const std::string text = "a good film";
  const auto expected = effects(text, options);
  std::vector<WordEffect> seen;
  const auto found = word_effects(candidates(), ChangedText(builtin(), text), options, {},
                                  [&](const WordEffect& known) { seen.push_back(known); });
  ASSERT_EQ(seen.size(), 6);
  for (size_t w = 0; w < 3; ++w) {
    EXPECT_EQ(seen[w].typical->change, expected[w].typical->change);
    EXPECT_FALSE(seen[w].worst || seen[w].dropped);
    for (const WordEffect* whole : std::vector<const WordEffect*>{&seen[3 + w], &found[w]}) {
      EXPECT_EQ(whole->typical->change, expected[w].typical->change);
      EXPECT_EQ(whole->worst_word, expected[w].worst_word);
      EXPECT_EQ(whole->worst->change, expected[w].worst->change);
      EXPECT_EQ(whole->dropped->change, expected[w].dropped->change);
    }
  }
}

TEST(WordEffects, OfAnEmojiHaveNoReplacementButCanBeLeftOut) {
  const auto found = effects("good 🙂", few_replacements("pooled"));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_FALSE(found[1].typical);
  EXPECT_FALSE(found[1].worst_word);
  EXPECT_TRUE(found[1].dropped);
}

}  // namespace
}  // namespace wordsway
