#include "wordsway/audit/substitute.h"

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/embed.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Ge;
using testing::IsEmpty;
using testing::Not;

const Model& model_in(const std::string& folder) {
  static std::map<std::string, Model> models;
  const auto found = models.find(folder);
  if (found != models.end()) return found->second;
  return models.emplace(folder, load_model(test::source_folder() / folder)).first->second;
}

const Model& shared_encoder() {
  return model_in("models/builtin");
}

const CandidateWords& shared_candidates() {
  static const CandidateWords words(shared_encoder(), nullptr);
  return words;
}

ChangeOptions looking_at(const Model& model, const std::string& layer) {
  return {parse_layer(layer, *model.transformer)};
}

MatrixF embedded(const Model& model, const std::string& text, const ChangeOptions& options) {
  const std::vector<LabelledText> texts = {{text, std::nullopt, "0"}};
  EmbedOptions embed;
  embed.output = options.output;
  return embed_texts(model, texts, encode_texts(model, texts, {.prompt = options.prompt}), embed).front();
}

TEST(ChangedText, PutsTheReplacementInThePlaceOfTheWordAndLeavesOneSpaceWhenItGoes) {
  const ChangedText text(shared_encoder(), "The film, was good!");
  EXPECT_EQ(text.with({1, "unforgettable story"}), "The unforgettable story, was good!");
  EXPECT_EQ(text.with({0, ""}), "film, was good!");
  EXPECT_EQ(text.with({1, ""}), "The, was good!");
  EXPECT_EQ(text.with({2, ""}), "The film was good!");
  EXPECT_EQ(text.with({5, ""}), "The film, was good");
}

// Every kind of tokenizer.
class ChangedTextOfModel : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Folders, ChangedTextOfModel,
                         testing::Values("models/builtin", "tests/golden/sentence/bert-concat",
                                         "tests/golden/sentence/roberta-plain", "tests/golden/sentence/xlmr-cls",
                                         "tests/golden/sentence/modernbert-mean"));

TEST_P(ChangedTextOfModel, ChangesAsMuchAsEmbeddingTheTextAfreshSays) {
  const Model& model = model_in(GetParam());
  const std::string original = "the old film was a good one";
  for (const std::string layer : {"pooled", "last"}) {
    const ChangeOptions options = looking_at(model, layer);
    const ChangedText text(model, original, options);
    const Matrix base = embedded(model, original, options).cast<double>();
    for (const std::string word : {"new", "unforgettable", ""}) {
      const WordEdit edit{1, word};
      const Matrix changed = embedded(model, text.with(edit), options).cast<double>();
      const auto found = text.evaluate(std::vector{edit}).front();
      ASSERT_TRUE(found);
      if (layer == "pooled") {
        EXPECT_EQ(found->change, (changed - base).norm() / base.norm());
        EXPECT_NEAR(*found->cosine, changed.row(0).dot(base.row(0)) / changed.norm() / base.norm(), 1e-15);
        continue;
      }
      // The rows before the word, its own ones, and those behind it, which end with the text.
      const Index begin = text.words()[1].tokens.front(), own = static_cast<Index>(text.words()[1].tokens.size());
      const Index after = base.rows() - begin - own, there = changed.rows() - begin - after;
      double squares = (changed.topRows(begin) - base.topRows(begin)).squaredNorm() +
                       (changed.bottomRows(after) - base.bottomRows(after)).squaredNorm();
      for (Index k = 0; k < std::max(own, there); ++k) {
        Eigen::RowVectorXd difference = Eigen::RowVectorXd::Zero(base.cols());
        if (k < own) difference += base.row(begin + k);
        if (k < there) difference -= changed.row(begin + k);
        squares += difference.squaredNorm();
      }
      EXPECT_NEAR(found->change, std::sqrt(squares) / base.norm(), 1e-12) << word;
      EXPECT_FALSE(found->cosine);
    }
  }
}

TEST_P(ChangedTextOfModel, HasTheSlopeThatDifferencesSay) {
  const Model& model = model_in(GetParam());
  const std::string original = "the old film was a good one";
  for (const std::string layer : {"pooled", "last"}) {
    const ChangeOptions options = looking_at(model, layer);
    const ChangedText text(model, original, options);
    // A word of one token, in this model.
    const CandidateWords words(model, &shared_encoder());
    const auto all = words.all(text.words()[1]);
    ASSERT_FALSE(all.empty());
    const WordEdit edit{1, std::string(all[all.size() / 2].text)};
    const auto slope = text.slopes(std::vector{edit, WordEdit{2, "unforgettable"}, edit})[2];
    ASSERT_TRUE(slope) << edit.replacement;
    const Encoding changed = model.tokenizer->encode(text.with(edit));
    const MatrixF x = model.transformer->embed(changed.ids);
    if (changed.size() != text.encoding().size()) continue;  // rows would not fit
    const Matrix base = embedded(model, original, options).cast<double>();
    const Index row = text.words()[1].tokens.front();
    const auto squared = [&](double step) {
      Matrix moved = x.cast<double>();
      moved.row(row) += step * slope->normalized().transpose();
      return (text.map().features_reference(moved) - base).squaredNorm() / base.squaredNorm();
    };
    const double step = 1e-2;
    EXPECT_NEAR((squared(step) - squared(-step)) / (2 * step), slope->norm(), 0.02 * slope->norm() + 1e-5);
  }
}

TEST(ChangedText, OfAnEmptyPlaceIsNothing) {
  const ChangedText text(shared_encoder(), "film");
  const auto found = text.evaluate(std::vector<WordEdit>{{0, ""}}).front();
  ASSERT_TRUE(found);  // the special tokens are left
  EXPECT_GT(found->change, 0);
}

TEST(ChangedText, PutsItsPromptBeforeEveryText) {
  const ChangeOptions options{parse_layer("pooled", *shared_encoder().transformer), "query: "};
  const ChangedText text(shared_encoder(), "a good film", options);
  const Matrix base = embedded(shared_encoder(), "a good film", options).cast<double>(),
               changed = embedded(shared_encoder(), "a bad film", options).cast<double>();
  EXPECT_EQ(text.evaluate(std::vector<WordEdit>{{1, "bad"}}).front()->change, (changed - base).norm() / base.norm());
}

TEST(CandidateWords, AreWholeWordsOfTheSameKind) {
  const ChangedText text(shared_encoder(), "The film, was good in 1999!");
  const auto names = [&](size_t word) {
    std::vector<std::string> result;
    for (const Candidate& one : shared_candidates().all(text.words()[word])) result.emplace_back(one.text);
    return result;
  };
  EXPECT_THAT(names(1), AllOf(Contains("movie"), Contains("2000"), Not(Contains("film")), Not(Contains(","))));
  EXPECT_THAT(names(1), AllOf(Not(Contains("b")), Not(Contains("[MASK]")), Not(Contains("##ing"))));
  EXPECT_THAT(names(2), AllOf(Contains("."), Not(Contains("movie")), Not(Contains(","))));
}

TEST(CandidateWords, FitThePlaceNumbersForNumbersAndNamesForNames) {
  const std::string text = "I saw Robert on Monday, 3 days later.";
  const ChangedText changed(shared_encoder(), text);
  const auto found = shared_candidates().plausible(text, changed.words(), 8);
  std::vector<std::string> words;
  for (const Word& word : changed.words()) words.push_back(word.text);
  const auto at = [&](const std::string& word) {
    return found[static_cast<size_t>(std::ranges::find(words, word) - words.begin())];
  };
  for (const Candidate& one : at("3")) EXPECT_EQ(kind_of(one.text).kind, WordKind::Class::kNumber) << one.text;
  std::vector<std::string> days, people;
  for (const Candidate& one : at("Monday")) days.emplace_back(one.text);
  for (const Candidate& one : at("Robert")) people.emplace_back(one.text);
  EXPECT_THAT(days, testing::UnorderedElementsAre("Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"));
  EXPECT_THAT(people, AllOf(Not(Contains("Robert")), Contains("Richard")));
  const auto saw = at("saw");
  for (size_t k = 1; k < saw.size(); ++k) EXPECT_LE(*saw[k].plausibility, *saw[k - 1].plausibility);
}

TEST(CandidateWords, DrawnByASeedAreDistinctAndOthersForAnotherSeed) {
  const std::string text = "a good film";
  const ChangedText changed(shared_encoder(), text);
  const auto names = [&](std::uint64_t seed) {
    std::vector<std::string> result;
    const auto drawn = shared_candidates().plausible(text, changed.words(), 64, Stream(seed));
    for (const Candidate& one : drawn[1]) result.emplace_back(one.text);
    return result;
  };
  const auto once = names(1);
  EXPECT_EQ(std::set<std::string>(once.begin(), once.end()).size(), 64U);
  EXPECT_EQ(once, names(1));
  EXPECT_NE(once, names(2));
}

TEST(CandidateWords, WithoutAHeadAreDrawnFromAll) {
  const Model& body = model_in("tests/golden/sentence/bert-concat");
  const CandidateWords words(body, nullptr);
  EXPECT_EQ(words.head(), nullptr);
  const std::string text = "the old film";
  const ChangedText changed(body, text);
  EXPECT_THROW(words.plausible(text, changed.words(), 4), UsageError);
  const auto found = words.plausible(text, changed.words(), 4, Stream(1));
  EXPECT_LE(found[0].size(), 4U);
  EXPECT_FALSE(found[0].empty());
}

TEST(CandidateWords, NextToAWordAreThoseThatGoWhereItGoes) {
  const std::string text = "it was good before noon";
  const ChangedText changed(shared_encoder(), text);
  std::vector<std::string> near;
  for (const Candidate& one : shared_candidates().neighbours(text, changed.words()[3], 5)) near.emplace_back(one.text);
  EXPECT_THAT(near, Contains("after"));
}

SubstituteOptions few(Index evaluations) {
  SubstituteOptions options;
  options.source = CandidateSource::kAll;
  options.evaluations = evaluations;
  return options;
}

TEST(Substitutions, AreEvaluatedExactlyAndInOrder) {
  const ChangedText text(shared_encoder(), "The film was good", looking_at(shared_encoder(), "1"));
  const auto found = substitute_words(text, shared_candidates(), few(96));
  ASSERT_EQ(found.size(), 4U);
  for (const WordSubstitutions& word : found) {
    ASSERT_EQ(word.found.size(), 96U);
    EXPECT_GT(word.candidates, 1000);
    std::set<Index> ranks;
    for (size_t k = 0; k < word.found.size(); ++k) {
      EXPECT_LE(word.found[k].found.change, word.found[k > 0 ? k - 1 : 0].found.change);
      ranks.insert(*word.found[k].screened_rank);
    }
    EXPECT_EQ(ranks.size(), 96U);
    const std::vector<WordEdit> edit = {{word.word, word.found.front().replacement}};
    EXPECT_EQ(text.evaluate(edit).front()->change, word.found.front().found.change);
  }
  EXPECT_THAT(found[0].found.front().replacement[0], testing::Truly([](char c) { return c >= 'A' && c <= 'Z'; }));
}

// The screening finds more than as many draws would: with 96 of some six thousand words it comes within a few percent
// of the exhaustive search; bench_words says how often it finds the very same word.
TEST(Substitutions, OfTheScreeningComeCloseToTheExhaustiveOnes) {
  const ChangedText text(shared_encoder(), "the film was good", looking_at(shared_encoder(), "1"));
  SubstituteOptions options = few(160);
  const auto screened = substitute_words(text, shared_candidates(), options);
  options.exhaustive = true;
  const auto all = substitute_words(text, shared_candidates(), options);
  double loss = 0;
  for (size_t w = 0; w < all.size(); ++w) {
    EXPECT_EQ(static_cast<Index>(all[w].found.size()), all[w].candidates);
    EXPECT_FALSE(all[w].found.front().screened_rank);
    EXPECT_LE(screened[w].found.front().found.change, all[w].found.front().found.change);
    loss += 1 - screened[w].found.front().found.change / all[w].found.front().found.change;
  }
  EXPECT_LT(loss / static_cast<double>(all.size()), 0.05);
}

TEST(Substitutions, ByWordsOfOnesOwnMayHaveSeveralTokensAndLeaveOutTheWordItself) {
  const ChangedText text(shared_encoder(), "a good film", looking_at(shared_encoder(), "pooled"));
  SubstituteOptions options;
  options.source = CandidateSource::kGiven;
  options.given = {"unforgettable", "Good", "bad"};
  options.words = {1};
  const auto found = substitute_words(text, shared_candidates(), options);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].found.size(), 2U);
  for (const Substitution& one : found[0].found) {
    EXPECT_FALSE(one.screened_rank);
    EXPECT_TRUE(one.found.cosine);
  }
  options.words = {7};
  EXPECT_THROW(substitute_words(text, shared_candidates(), options), UsageError);
}

TEST(Substitutions, ThatArePlausibleAreHalfLikelyAndHalfAlike) {
  const ChangedText text(shared_encoder(), "it was good before noon", looking_at(shared_encoder(), "pooled"));
  SubstituteOptions options = few(20);
  options.source = CandidateSource::kPlausible;
  options.words = {3};
  const auto found = substitute_words(text, shared_candidates(), options);
  ASSERT_EQ(found[0].found.size(), 20U);
  std::vector<std::string> words;
  for (const Substitution& one : found[0].found) words.push_back(one.replacement);
  EXPECT_THAT(words, Contains("after"));
  EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), 20U);
}

}  // namespace
}  // namespace wordsway
