#include "wordsway/audit/pairs.h"

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/audit/embed.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

const Model& model_of(const std::string& folder) {
  static std::map<std::string, Model> models;
  const auto known = models.find(folder);
  if (known != models.end()) return known->second;
  return models.emplace(folder, load_model(test::source_folder() / folder)).first->second;
}

const std::vector<TextPair>& some_pairs() {
  static const std::vector<TextPair> pairs = {
      {"the old film was good", "the old film was bad", "i liked the old film", "antonym"},
      {"turn on the light", "turn off the light", {}, "state"},
      {"the film ends before noon", "the film ends after noon", "it is over in the morning", "time"},
      {"an unforgettable film", "a good film", "the old film was good", "several words"},
      {"the same text", "the same text", "the same text", "equal"}};
  return pairs;
}

// One text alone, by the plain way: hidden states, pooled and through every step.
std::vector<RowF> steps_alone(const Model& model, const std::string& text) {
  const Encoding encoding = encode_texts(model, std::vector<LabelledText>{{text, {}, "0"}}).front();
  const SentenceChain& chain = model.transformer->sentence_chain();
  std::vector<RowF> steps;
  for (const MatrixF& state : model.transformer->hidden_states(model.transformer->embed(encoding.ids)))
    steps.push_back(chain.pool(state));
  RowF x = steps.back();
  for (const SentenceModule& module : chain.modules) {
    SentenceChain one;
    one.modules = {module};
    x = one.after_modules(x).front();
    steps.push_back(x);
  }
  return steps;
}

double cosine(const RowF& a, const RowF& b) {
  return a.cast<double>().dot(b.cast<double>()) / (a.cast<double>().norm() * b.cast<double>().norm());
}

class SimilarityOfPairs : public testing::TestWithParam<const char*> {};

TEST_P(SimilarityOfPairs, IsThatOfTextsAloneAfterEveryStep) {
  const Model& model = model_of(GetParam());
  const auto found = pair_similarities(model, some_pairs());
  ASSERT_EQ(found.size(), some_pairs().size());
  const size_t steps = similarity_steps(*model.transformer).size();
  for (size_t k = 0; k < found.size(); ++k) {
    const TextPair& pair = some_pairs()[k];
    const auto anchor = steps_alone(model, pair.anchor), changed = steps_alone(model, pair.changed);
    ASSERT_EQ(found[k].by_step.size(), steps);
    ASSERT_EQ(anchor.size(), steps);
    for (size_t step = 0; step < steps; ++step)
      EXPECT_NEAR(found[k].by_step[step], cosine(anchor[step], changed[step]), 1e-12) << k << " " << step;
    EXPECT_EQ(found[k].changed, found[k].by_step.back());
    EXPECT_EQ(found[k].control.has_value(), pair.control.has_value());
    if (!pair.control) continue;
    EXPECT_NEAR(*found[k].control, cosine(anchor.back(), steps_alone(model, *pair.control).back()), 1e-12);
  }
}

TEST_P(SimilarityOfPairs, HasTheSameBitsWithAnyThreads) {
  const int threads = available_threads();
  set_thread_count(1);
  const auto one = pair_similarities(model_of(GetParam()), some_pairs());
  set_thread_count(3);
  const auto three = pair_similarities(model_of(GetParam()), some_pairs());
  set_thread_count(threads);
  for (size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].by_step, three[k].by_step);
    EXPECT_EQ(one[k].control, three[k].control);
    EXPECT_EQ(one[k].own_share, three[k].own_share);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SimilarityOfPairs,
                         testing::Values("models/builtin", "tests/golden/sentence/bert-cls-dense",
                                         "tests/golden/sentence/bert-weightedmean"));

TEST(OwnShare, OfTheEmbeddingIsAllAndWithTheOthersMakesTheWhole) {
  const Model& model = model_of("models/builtin");
  const auto found = pair_similarities(model, some_pairs());
  const auto& shares = found[0].own_share;
  ASSERT_EQ(shares.size(), static_cast<size_t>(model.transformer->config().layers) + 1);
  EXPECT_NEAR(*shares[0], 1, 1e-5);
  EXPECT_LT(*shares.back(), 0.95);
  // By hand, for words of one token each: mean pooling, so the other rows' part is the mean of their differences.
  const auto states = [&](const std::string& text) {
    const Encoding encoding = encode_texts(model, std::vector<LabelledText>{{text, {}, "0"}}).front();
    return model.transformer->hidden_states(model.transformer->embed(encoding.ids)).back();
  };
  const MatrixF anchor = states(some_pairs()[0].anchor), changed = states(some_pairs()[0].changed);
  ASSERT_EQ(anchor.rows(), changed.rows());
  const Matrix difference = (changed - anchor).cast<double>();
  const Eigen::RowVectorXd whole = difference.colwise().mean(),
                           own = difference.row(difference.rows() - 2) / static_cast<double>(difference.rows());
  EXPECT_NEAR(*shares.back(), own.dot(whole) / whole.squaredNorm(), 1e-4);
}

TEST(OwnShare, IsNotThereWhereTextsAreEqualOrPoolingIsNoSum) {
  EXPECT_THAT(pair_similarities(model_of("models/builtin"), some_pairs())[4].own_share, Each(std::nullopt));
  // cls, max and mean side by side
  EXPECT_THAT(pair_similarities(model_of("tests/golden/sentence/bert-concat"), some_pairs())[0].own_share, IsEmpty());
}

TEST(SimilaritySteps, AreNamed) {
  EXPECT_THAT(similarity_steps(*model_of("tests/golden/sentence/bert-cls-dense").transformer),
              ElementsAre("embedding", "layer 1", "layer 2", "dense", "normalise"));
}

TEST(SimilarityOfVectors, IsThatOfTheModelThatMadeThem) {
  const Model& model = model_of("tests/golden/sentence/bert-cls-dense");
  const std::vector<std::string> texts = distinct_texts(some_pairs());
  EXPECT_EQ(texts.front(), "the old film was good");
  EXPECT_EQ(texts.size(), 11U);  // one control is an anchor, and the last pair is one text
  const Matrix vectors = unit_vectors(model, texts) * 3;
  const auto mine = pair_similarities(model, some_pairs()), given = pair_similarities(some_pairs(), vectors);
  for (size_t k = 0; k < mine.size(); ++k) {
    EXPECT_NEAR(mine[k].changed, given[k].changed, 1e-7);
    EXPECT_EQ(mine[k].control.has_value(), given[k].control.has_value());
    EXPECT_THAT(given[k].by_step, IsEmpty());
  }
}

TEST(SimilarityOfVectors, RefusesVectorsThatCannotBeTheTexts) {
  Matrix vectors = Matrix::Ones(11, 3);
  EXPECT_NO_THROW(pair_similarities(some_pairs(), vectors));
  EXPECT_THROW(pair_similarities(some_pairs(), Matrix::Ones(10, 3)), DataError);
  vectors.row(2).setZero();
  EXPECT_THROW(pair_similarities(some_pairs(), vectors), DataError);
  vectors.row(2).setConstant(std::nan(""));
  EXPECT_THROW(pair_similarities(some_pairs(), vectors), DataError);
}

}  // namespace
}  // namespace wordsway
