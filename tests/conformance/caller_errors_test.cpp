// What a caller of the library gets wrong is a UsageError or a DataError with a sentence, never an InternalError.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/places.h"
#include "support/samples.h"
#include "support/small_study.h"
#include "wordsway/ascent/ascend.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/learning/generalization.h"
#include "wordsway/learning/interpolator.h"
#include "wordsway/maps/attention/attention_map.h"
#include "wordsway/maps/random_features/deferred_blocks.h"
#include "wordsway/maps/random_features/random_features.h"
#include "wordsway/model/attract.h"
#include "wordsway/model/model_map.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/sensitivity/scaling_fit.h"
#include "wordsway/study/generalize_study.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/text/corpus/encoded_texts.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Index kErrorTokens = 4, kErrorD = 3;

Matrix error_sample() {
  return sphere_sample(Stream(1), kErrorTokens, kErrorD);
}

class ModelCalls : public testing::Test {
 protected:
  std::shared_ptr<const Transformer> model_ = Transformer::load(source_folder() / "tests/golden/models/bert");
  Index d_ = model_->config().hidden_size;
  MatrixF x_ = MatrixF::Random(5, d_);
};

TEST_F(ModelCalls, ARowMustExist) {
  TransformerTrace base, trace;
  model_->forward(x_, 1, {}, base);
  const auto changed = [&](Index i) { return [&, i] { model_->forward_changed_row(x_, i, base, trace); }; };
  EXPECT_THAT(changed(5), ThrowsMessage<UsageError>(HasSubstr("row 5 is out of range; the text has rows 0 to 4")));
  EXPECT_THAT(changed(-1), ThrowsMessage<UsageError>(HasSubstr("row -1")));
  EXPECT_THROW(model_->vjp_row(base, x_, 5), UsageError);
}

TEST_F(ModelCalls, ATextMustBeThatOfItsTrace) {
  TransformerTrace base, trace;
  model_->forward(x_, 1, {}, base);
  EXPECT_THAT([&] { model_->forward_changed_row(x_.topRows(4), 0, base, trace); },
              ThrowsMessage<DataError>(HasSubstr("has 4 tokens, but that of the trace has 5")));
  EXPECT_THROW(model_->vjp(base, x_.topRows(4)), DataError);
  EXPECT_THROW(model_->vjp_row(base, x_.leftCols(d_ - 1), 0), DataError);
}

TEST_F(ModelCalls, AModelHasTheBlocksOfItsConfig) {
  ModelConfig config = model_->config();
  EXPECT_THAT([&] { Transformer(config, ModelParts{}); }, ThrowsMessage<DataError>(HasSubstr("got 0 for 2")));
  ModelParts parts;
  parts.blocks.resize(static_cast<size_t>(config.layers));  // null
  EXPECT_THROW(Transformer(config, std::move(parts)), DataError);
}

TEST_F(ModelCalls, AnAttractingTokenMustExistAndItsRegularisationBePositive) {
  EXPECT_THAT([&] { attracting_direction(*model_, x_, 5); }, ThrowsMessage<UsageError>(HasSubstr("token 5")));
  EXPECT_THAT([&] { attracting_direction(*model_, x_, 0, 0); }, ThrowsMessage<UsageError>(HasSubstr("above 0; got 0")));
}

TEST_F(ModelCalls, PoolingNeedsTokensAndACotangentOfTheirWidth) {
  EXPECT_THROW(model_->sentence_chain().forward(MatrixF(0, d_)), DataError);
  EXPECT_THROW(model_->sentence_chain().vjp(x_, {}, RowF::Ones(d_ + 1)), DataError);
  EXPECT_THROW(model_->sentence_chain().vjp(x_, AttentionMask(std::vector<int>{1, 0}), RowF::Ones(d_)), DataError);
}

TEST_F(ModelCalls, AMapNeedsAModel) {
  EXPECT_THAT([] { ModelMap(nullptr, {0}); }, ThrowsMessage<UsageError>(HasSubstr("needs a model; got none")));
}

class MapCalls : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<FeatureMap> map_ = draw_map(GetParam(), kErrorTokens, kErrorD, 1);
};

TEST_P(MapCalls, AMoveHasTheDimensionOfAToken) {
  const auto change = map_->at(error_sample())->token(0)->change();
  EXPECT_THAT([&] { (*change)(Vector::Ones(kErrorD + 1)); },
              ThrowsMessage<DataError>(HasSubstr("3 coordinates; got 4")));
}

TEST_P(MapCalls, AFunctionOfInnerProductsNeedsThemAndItself) {
  const auto view = map_->at(error_sample())->token(0);
  const Matrix psi = map_->at(error_sample())->features();
  EXPECT_THROW(view->outer({}, identity_outer()), UsageError);
  EXPECT_THROW(view->outer({psi}, nullptr), UsageError);
}

TEST_P(MapCalls, TheReferenceRefusesSamplesToo) {
  EXPECT_THROW(map_->features_reference(Matrix::Ones(kErrorTokens, kErrorD + 1)), DataError);
  EXPECT_THROW(map_->features_reference(Matrix(0, kErrorD)), DataError);
}

TEST_P(MapCalls, FeatureRowsMustExistAndHaveRoom) {
  const Matrix samples = Matrix::Ones(2, kErrorTokens * kErrorD);
  const Matrix features = map_->at(error_sample())->features();
  Matrix out(2, features.cols());
  EXPECT_THROW(map_->feature_rows(samples, kErrorTokens, features.rows(), 1, out), UsageError);
  EXPECT_THROW(map_->feature_rows(samples, kErrorTokens, -1, 1, out), UsageError);
  EXPECT_THROW(map_->feature_rows(samples, 0, 0, 1, out), DataError);
  EXPECT_THROW(map_->feature_rows(samples, kErrorTokens + 1, 0, 1, out), DataError);
  EXPECT_THROW(map_->feature_rows(samples, kErrorTokens, 0, 2, out), DataError);
  Matrix none(2, 0);
  EXPECT_NO_THROW(map_->feature_rows(samples, kErrorTokens, 0, 0, none));
}

TEST_P(MapCalls, ALearnerHasOneLabelForEverySample) {
  const Matrix training = Matrix::Random(3, kErrorTokens * kErrorD), X = error_sample();
  const auto view = whole_learner_view(std::move(map_), {training, X, 0});
  EXPECT_THAT([&] { train(*view, Vector::Ones(4)); },
              ThrowsMessage<DataError>(HasSubstr("3 training samples, but 4 labels")));
  EXPECT_THROW(whole_learner_view(nullptr, {training, X, 0}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Maps, MapCalls, testing::Values("raf", "rf", "drf"));

TEST(MapParts, MustBeThereAndFit) {
  EXPECT_THROW(AttentionMap(Matrix::Ones(2, 2), nullptr), UsageError);
  const Activation& relu = find_activation("relu");
  EXPECT_THROW(RandomFeatures(nullptr, {}, relu), UsageError);
  const auto first = std::make_shared<StoredBlocks>(Matrix::Ones(5, kErrorTokens * kErrorD), kErrorTokens, kErrorD);
  EXPECT_THROW(RandomFeatures(first, {nullptr}, relu), UsageError);
  EXPECT_THAT([&] { RandomFeatures(first, {std::make_shared<DenseMatrix>(Matrix::Ones(5, 4))}, relu); },
              ThrowsMessage<DataError>(HasSubstr("must be 5 x 5; got 5 x 4")));
}

TEST(MapParts, WeightsThatAreGoneAreNotAskedForAgain) {
  MapOptions options;
  options.n = kErrorTokens;
  options.d = kErrorD;
  options.random = "deferred";
  options.keep_weights = false;
  const auto at = map_registry().get("rf").draw(options, Stream(1))->at(error_sample());
  at->token(1);
  EXPECT_THAT([&] { at->token(1); }, ThrowsMessage<UsageError>(HasSubstr("weights of token 1 are gone")));
  DeferredBlocks blocks(Stream(1), kErrorTokens, kErrorD, 5, 1, true);
  EXPECT_THROW(blocks.image(Matrix::Ones(kErrorTokens, kErrorD + 1)), DataError);
}

TEST(MapParts, AMatrixTakesVectorsOfItsSizes) {
  DenseMatrix dense(Stream(1), 4, 3, 1);
  StreamedMatrix streamed(Stream(1), 4, 3, 1);
  DeferredMatrix deferred(Stream(1), 4, 3, 1);
  for (GaussianMatrix* matrix : std::initializer_list<GaussianMatrix*>{&dense, &streamed, &deferred}) {
    EXPECT_THROW(*matrix * Vector::Ones(4), DataError);
    EXPECT_THROW(matrix->transpose_times(Vector::Ones(3)), DataError);
  }
  EXPECT_THROW(deferred.begin_with(Vector::Ones(4), Vector::Ones(4)), DataError);
  EXPECT_THROW(deferred.begin_with_basis(Matrix::Identity(3, 3), Matrix::Ones(2, 4)), DataError);
}

TEST(LearnerCalls, AViewDrawnForATokenKnowsNoOther) {
  const Matrix training = Matrix::Random(3, kErrorTokens * kErrorD), X = error_sample();
  MapOptions options;
  options.n = kErrorTokens;
  options.d = kErrorD;
  const auto view = draw_learner_view(map_registry().get("rf"), options, Stream(1), {training, X, 1});
  EXPECT_THAT([&] { view->sample().token(0); }, ThrowsMessage<UsageError>(HasSubstr("own token 1 only; got token 0")));
  Matrix out(2, 1);
  EXPECT_THROW(view->training_rows(0, 1, out), DataError);
  EXPECT_THROW(train(*view, Vector::Ones(2)), DataError);
  FeatureStore store(*view, {});
  EXPECT_THROW(store.make_kernel(Vector::Ones(2)), DataError);
  EXPECT_THROW(store.combine(Vector::Ones(3), Vector::Ones(2)), DataError);
}

TEST(LearnerCalls, AKernelIsSquareAndSolvesForItsSize) {
  EXPECT_THAT([] { Interpolator(Matrix::Ones(2, 3), 5); }, ThrowsMessage<DataError>(HasSubstr("got 2 x 3")));
  EXPECT_THROW(Interpolator(Matrix(0, 0), 5), DataError);
  EXPECT_THROW(Interpolator(Matrix::Identity(2, 2), 5).solve(Vector::Ones(3)), DataError);
}

TEST(SearchCalls, AnAscentStartsInItsSpaceWithARadius) {
  const auto change = draw_map("raf", kErrorTokens, kErrorD, 1)->at(error_sample())->token(0)->change();
  EXPECT_THAT([&] { ascend(*change, Vector::Ones(2), {}); }, ThrowsMessage<DataError>(HasSubstr("got 2")));
  EXPECT_THROW(ascend_from(*change, Vector::Ones(2), {}), DataError);
  for (const double radius : {-1.0, std::nan("")}) {
    EXPECT_THROW(ascend(*change, Vector::Ones(kErrorD), {.radius = radius}), UsageError);
    EXPECT_THROW(ascend_from(*change, Vector::Ones(kErrorD), {.radius = radius}), UsageError);
  }
}

TEST(SearchCalls, AFitHasAsManySizesAsValues) {
  const std::vector<double> three{1, 2, 3}, two{1, 2};
  EXPECT_THROW(fit_scaling(three, two), DataError);
  EXPECT_THROW(student_t_975(0), UsageError);
  EXPECT_THROW(student_t_975(std::nan("")), UsageError);
}

TEST(StudyCalls, NeedTheirParts) {
  EXPECT_THROW(JoinedStudy("data", {}), UsageError);
  EXPECT_THAT([] { JoinedStudy("data", {{"one", nullptr}}); }, ThrowsMessage<UsageError>(HasSubstr("\"one\"")));
  EXPECT_THROW(MeasureStudy(MeasureConfig{}), UsageError);
  EXPECT_THROW(GeneralizeStudy(GeneralizeConfig{}), UsageError);
  EXPECT_THROW(EncodedTexts("texts", nullptr, {}), UsageError);
}

}  // namespace
}  // namespace wordsway::test
