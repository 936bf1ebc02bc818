#include "wordsway/model/model_map.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "model/reference.h"
#include "support/golden.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/attract.h"

namespace wordsway::test {
namespace {

struct Case {
  const char* folder;
  Index layer;
  std::string readout = "all";

  ModelOutput output() const { return {layer, readout_named(readout)}; }
};

class ModelAsMap : public testing::TestWithParam<Case> {
 protected:
  ModelAsMap() {
    const auto folder = golden_models() / GetParam().folder;
    transformer = Transformer::load(folder);
    const Golden golden(folder / "expected.safetensors");
    map = std::make_unique<ModelMap>(transformer, GetParam().output(), golden.mask());
    X = transformer->embed(golden.ids()).cast<double>();
    sample = map->at(X);
    view = sample->token(kToken);
    delta = random_row(X.cols(), 5).transpose().cast<double>() * 0.5;
  }

  // φ(X^i(Δ)) by a plain forward.
  Matrix moved(const Vector& by) const {
    Matrix changed = X;
    changed.row(kToken) += by.transpose();
    return map->features_reference(changed);
  }

  // The slope of f along a direction by central differences with a step that rises above float32's rounding.
  static double slope(const LiftedFunction& f, const Vector& at, const Vector& direction) {
    const double step = 2e-3;
    return (f(at + step * direction) - f(at - step * direction)) / (2 * step);
  }

  static constexpr Index kToken = 2;
  std::shared_ptr<const Transformer> transformer;
  std::unique_ptr<ModelMap> map;
  Matrix X;
  std::unique_ptr<MappedSample> sample;
  std::unique_ptr<TokenView> view;
  Vector delta;
};

TEST_P(ModelAsMap, FeaturesAreThoseOfAPlainForward) {
  EXPECT_EQ(sample->features(), map->features_reference(X));
}

TEST_P(ModelAsMap, ChangeIsThatOfAPlainForward) {
  const double expected = (moved(delta) - sample->features()).squaredNorm();
  EXPECT_NEAR((*view->change())(delta), expected, 1e-5 * expected);
  EXPECT_LT((*view->change())(Vector::Zero(X.cols())), 1e-11 * sample->features().squaredNorm());
}

TEST_P(ModelAsMap, SeveralMovesTogetherAreThoseOneByOne) {
  Matrix deltas(3, X.cols());
  for (Index k = 0; k < 3; ++k) deltas.row(k) = delta.transpose() * static_cast<double>(k + 1);
  const Vector together = view->change()->values(deltas);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(together[k], (*view->change())(deltas.row(k).transpose())) << k;
  Matrix gradients;
  EXPECT_EQ(view->change()->values(deltas, &gradients), together);
  for (Index k = 0; k < 3; ++k) {
    Vector gradient;
    view->change()->evaluate(deltas.row(k).transpose(), &gradient);
    EXPECT_LT((gradients.row(k).transpose() - gradient).norm(), 1e-5 * gradient.norm()) << k;
  }
  EXPECT_THROW(view->change()->values(Matrix::Zero(2, X.cols() + 1)), DataError);
}

TEST_P(ModelAsMap, InnerIsThatOfAPlainForward) {
  const Matrix psi = random_matrix(sample->features().rows(), sample->features().cols(), 9).cast<double>();
  const double expected = (moved(delta).array() * psi.array()).sum();
  EXPECT_NEAR((*view->inner(psi))(delta), expected, 1e-5 * moved(delta).norm() * psi.norm());
}

TEST_P(ModelAsMap, AFunctionMayOutliveItsViewItsSampleItsMapAndTheModel) {
  const auto folder = golden_models() / GetParam().folder;
  const auto fresh = [&] {
    return ModelMap(Transformer::load(folder), GetParam().output(), Golden(folder / "expected.safetensors").mask());
  };
  const Matrix psi = sample->features();
  const auto change = fresh().at(X)->token(kToken)->change();
  const auto inner = fresh().at(X)->token(kToken)->inner(psi);
  const auto alone = fresh().at(X)->token(kToken);
  const std::vector<MatrixF> overwritten(100, MatrixF::Constant(X.rows(), 8 * X.cols(), std::nanf("")));
  Vector gradient, expected;
  EXPECT_EQ((*change)(delta, &gradient), (*view->change())(delta, &expected));
  EXPECT_EQ(gradient, expected);
  EXPECT_EQ((*inner)(delta), (*view->inner(psi))(delta));
  EXPECT_EQ(alone->starts(), view->starts());
  EXPECT_EQ((*alone->change())(delta), (*change)(delta));
}

TEST_P(ModelAsMap, GradientsAgreeWithDifferences) {
  const Matrix psi = random_matrix(sample->features().rows(), sample->features().cols(), 9).cast<double>();
  const auto change = view->change(), inner = view->inner(psi);
  for (const LiftedFunction* f : {change.get(), inner.get()}) {
    Vector gradient;
    (*f)(delta, &gradient);
    for (unsigned seed = 20; seed < 24; ++seed) {
      Vector direction = random_row(X.cols(), seed).transpose().cast<double>();
      direction.normalize();
      EXPECT_NEAR(gradient.dot(direction), slope(*f, delta, direction), 2e-3 * gradient.norm());
    }
    EXPECT_NEAR(gradient.norm(), slope(*f, delta, gradient.normalized()), 2e-3 * gradient.norm());
  }
}

TEST_P(ModelAsMap, GivesTheSameBitsFromSeveralThreadsAtOnce) {
  const auto change = view->change();
  Vector gradient;
  const double value = (*change)(delta, &gradient);
  const int before = available_threads();
  set_thread_count(4);
  std::vector<double> values(8);
  std::vector<Vector> gradients(8);
  parallel_for(8,
               [&](Index k) { values[static_cast<size_t>(k)] = (*change)(delta, &gradients[static_cast<size_t>(k)]); });
  set_thread_count(before);
  for (size_t k = 0; k < 8; ++k) {
    EXPECT_EQ(values[k], value);
    EXPECT_EQ(gradients[k], gradient);
  }
}

TEST_P(ModelAsMap, RefusesWhatDoesNotFit) {
  Matrix nan = X;
  nan(0, 0) = NAN;
  EXPECT_THROW(map->at(nan), DataError);
  EXPECT_THROW(map->at(Matrix::Zero(3, X.cols() + 1)), DataError);
  EXPECT_THROW(sample->token(X.rows()), UsageError);
  EXPECT_THROW(view->inner(Matrix::Zero(1, 1)), DataError);
  EXPECT_THROW(map->weights(), UsageError);
  EXPECT_THROW(ModelMap(transformer, {transformer->config().layers + 1}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Outputs, ModelAsMap,
                         testing::Values(Case{"bert", 1}, Case{"bert", 2}, Case{"bert", 2, "pooled"},
                                         Case{"distilbert", 2}, Case{"roberta", 2, "pooled"}, Case{"gpt2", 3},
                                         Case{"llama", 3, "pooled"}, Case{"llama", 3, "logits"},
                                         Case{"qwen2", 3, "logits"}, Case{"qwen3", 2, "last"}, Case{"bert", 1, "last"},
                                         Case{"mistral", 2}, Case{"bert-softmax-4", 2},
                                         Case{"bert-sigmoid", 2, "pooled"}, Case{"bert-relu", 2},
                                         Case{"bert-square", 2}, Case{"qwen3", 3}),
                         [](const auto& test) {
                           std::string folder = test.param.folder;
                           std::replace(folder.begin(), folder.end(), '-', '_');
                           return folder + "_layer" + std::to_string(test.param.layer) + "_" + test.param.readout;
                         });

// Passes x on and counts the rows that it is given, there and back.
class RowCounter final : public Block {
 public:
  explicit RowCounter(Index& rows) : rows_(rows) {}
  std::unique_ptr<BlockTrace> make_trace() const override { return std::make_unique<BlockTrace>(); }
  void forward(ConstMatrixFRef x, const AttentionMask&, BlockTrace&, MatrixF& y) const override {
    rows_ += x.rows();
    y = x;
  }
  void forward_changed_row(ConstMatrixFRef x, Index, const BlockTrace&, const AttentionMask& mask, BlockTrace& trace,
                           MatrixF& y) const override {
    forward(x, mask, trace, y);
  }
  void forward_from(ConstMatrixFRef x, Index, const BlockTrace&, const AttentionMask& mask, BlockTrace& trace,
                    MatrixF& y) const override {
    forward(x, mask, trace, y);
  }
  void vjp(const BlockTrace&, const AttentionMask&, const MatrixF& y, MatrixF& x) const override {
    rows_ += y.rows();
    x = y;
  }
  RowF vjp_row(const BlockTrace&, const AttentionMask&, const MatrixF& y, Index i) const override {
    rows_ += y.rows();
    return y.row(i);
  }
  std::vector<MatrixF> attention(ConstMatrixFRef, const AttentionMask&, Index, Index) const override { return {}; }
  MatrixF score_gradients(ConstMatrixFRef x, Index) const override { return x; }
  Index parameters() const override { return 0; }
  BlockParts parts() const override { return {}; }

 private:
  Index& rows_;
};

TEST(ModelOfADecoder, NeverComputesRowsBeforeTheMovedTokenAgain) {
  const Index n = 10, d = 8, layers = 3, token = 6, moves = 5;
  const int before = available_threads();
  set_thread_count(1);  // counts are not kept apart
  for (const bool causal : {true, false}) {
    Index rows = 0;
    ModelConfig config;
    config.layers = layers;
    config.attention = AttentionShape::with_own_keys(4, 2);
    config.hidden_size = d;
    config.causal = causal;
    ModelParts parts;
    for (Index layer = 0; layer < layers; ++layer) parts.blocks.push_back(std::make_unique<RowCounter>(rows));
    const ModelMap map(std::make_shared<const Transformer>(config, std::move(parts)), {layers});
    const auto sample = map.at(random_matrix(n, d, 1).cast<double>());
    const auto change = sample->token(token)->change();
    const Index each = layers * (causal ? n - token : n);
    rows = 0;
    change->values(Matrix::Ones(moves, d));
    EXPECT_EQ(rows, moves * each);
    rows = 0;
    Matrix gradients;
    change->values(Matrix::Ones(moves, d), &gradients);
    EXPECT_EQ(rows, 2 * moves * each) << "there and back";
    EXPECT_TRUE(gradients.isApprox(Matrix::Constant(moves, d, 2), 1e-6)) << "of the sum of squares at 1";
  }
  set_thread_count(before);
}

TEST(AttractingDirection, DrawsAttentionToItsToken) {
  const std::shared_ptr<const Transformer> transformer = Transformer::load(golden_models() / "bert");
  const std::vector<int> ids{5, 17, 33, 60, 8, 91};
  const MatrixF x = transformer->embed(ids);
  const Index token = 3;
  Vector delta = attracting_direction(*transformer, x, token);
  delta *= x.row(token).norm() / delta.norm();
  MatrixF moved = x;
  moved.row(token) += delta.transpose().cast<float>();
  double before = 0, after = 0;
  for (Index head = 0; head < transformer->config().attention.heads; ++head) {
    before += transformer->attention(x, 1, head).col(token).sum();
    after += transformer->attention(moved, 1, head).col(token).sum();
  }
  EXPECT_GT(after, 1.5 * before);
}

TEST(AttractingDirection, RaisesScoresEquallyOrMuch) {
  const auto transformer = Transformer::load(golden_models() / "bert");
  const std::vector<int> ids{5, 17, 33, 60, 8, 91};
  const MatrixF x = transformer->embed(ids);
  const Index token = 3, n = x.rows();
  const Matrix A = transformer->score_gradients(x, token).cast<double>();
  struct Raise {
    double mean, spread;  // over queries and heads
  };
  const auto raise = [&](double regularisation) {
    const Vector direction = attracting_direction(*transformer, x, token, regularisation).normalized();
    std::vector<double> raises;
    for (Index row = 0; row < A.rows(); ++row)
      if (row % n != token) raises.push_back(A.row(row).dot(direction));
    const Eigen::Map<const Vector> all(raises.data(), static_cast<Index>(raises.size()));
    return Raise{all.mean(), std::sqrt((all.array() - all.mean()).square().mean())};
  };
  const Raise equal = raise(1e-3), much = raise(1);
  EXPECT_GT(equal.mean, 0);
  EXPECT_GT(much.mean, equal.mean);
  EXPECT_LT(equal.spread / equal.mean, much.spread / much.mean);
}

TEST(WordDirections, LeadToTokensOfTheVocabularyInTheTokensPlace) {
  const std::shared_ptr<const Transformer> transformer = Transformer::load(golden_models() / "bert");
  const std::vector<int> ids{5, 17, 33, 60, 8, 91};
  const Matrix X = transformer->embed(ids).cast<double>();
  const Index token = 3;
  std::vector<int> vocabulary(static_cast<size_t>(transformer->config().vocabulary));
  std::iota(vocabulary.begin(), vocabulary.end(), 0);
  const Matrix rows = transformer->embed_at_row(vocabulary, token).cast<double>();
  const auto sample = ModelMap(transformer, {1}).at(X);
  const auto directions = sample->token(token)->word_directions(16);
  ASSERT_EQ(directions.size(), 16U);
  for (const Vector& direction : directions) {
    const Eigen::RowVectorXd reached = X.row(token) + direction.transpose();
    EXPECT_LT((rows.rowwise() - reached).rowwise().norm().minCoeff(), 1e-6);
  }
  EXPECT_EQ(sample->token(token)->word_directions(4)[3], directions[3]);
  EXPECT_NE(sample->token(2)->word_directions(4)[3], directions[3]);
}

TEST(ScoreGradients, AreTheSlopesOfTheScores) {
  const auto transformer = Transformer::load(golden_models() / "bert");
  const std::vector<int> ids{5, 17, 33, 60};
  const Index n = 4, token = 2, query = 1, other = 0, head = 3;
  const MatrixF x = transformer->embed(ids), A = transformer->score_gradients(x, token);
  const RowF direction = random_row(32, 4, 0.1f);
  MatrixF moved = x;
  moved.row(token) += direction;
  // Log-ratios of probabilities in a row are differences of scores; only the score on `token` moves.
  const auto score = [&](const MatrixF& at) {
    const MatrixF P = transformer->attention(at, 1, head);
    return std::log(P(query, token) / P(query, other));
  };
  EXPECT_NEAR(score(moved) - score(x), A.row(head * n + query).dot(direction), 1e-5);
}

TEST(AttractingDirections, OfAllTokensAreThoseOfEach) {
  for (const std::string& name : golden_model_names()) {
    const auto transformer = Transformer::load(golden_models() / name);
    std::vector<int> ids;
    for (int j = 0; j < 12; ++j) ids.push_back(5 + 3 * j);
    const MatrixF x = transformer->embed(ids);
    const AttractingDirections directions(*transformer, x);
    for (Index i = 0; i < x.rows(); ++i) {
      const Vector expected = attracting_direction(*transformer, x, i);
      EXPECT_LT((directions(i) - expected).norm(), 1e-9 * expected.norm()) << name << ", token " << i;
    }
    EXPECT_THROW(directions(x.rows()), UsageError);
  }
}

}  // namespace
}  // namespace wordsway::test
