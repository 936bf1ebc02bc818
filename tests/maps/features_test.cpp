// Random features with deferred weights: one V whatever is asked of it, and the same functions as the dense ones.
#include <cmath>

#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/maps/random_features/deferred_blocks.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

struct FeaturesCase {
  std::string map, activation;
  Index depth;
};

MapOptions case_options(const FeaturesCase& at, Index n, Index d, const std::string& random) {
  MapOptions options;
  options.n = n;
  options.d = d;
  options.set("depth", at.depth);
  options.set("activation", at.activation);
  options.random = random;
  return options;
}

class DeferredFeatures : public testing::TestWithParam<FeaturesCase> {
 protected:
  static constexpr Index n_ = 5, d_ = 7;

  std::unique_ptr<FeatureMap> draw(const std::string& random) const {
    return map_registry().get(GetParam().map).draw(case_options(GetParam(), n_, d_, random), Stream(9));
  }
  Vector direction(std::uint64_t seed, double norm) const {
    const Vector v = gaussian_vector(Stream(seed), d_);
    return v * (norm / v.norm());
  }

  Matrix X_ = spiked_sample(Stream(1), Stream(2), n_, d_, 0.3);
};

TEST_P(DeferredFeatures, FunctionsAgreeWithTheCompletedMatrix) {
  const auto map = draw("deferred");
  const auto sample = map->at(X_);
  const Matrix psi = gaussian_matrix(Stream(23), sample->features().rows(), 1);
  const auto view = sample->token(2), other = sample->token(4);
  std::vector<double> changes, inners, others;
  for (const double norm : {0.01, 1.0, 2.6, 20.0}) {
    changes.push_back((*view->change())(direction(3, norm)));
    inners.push_back((*view->inner(psi))(direction(4, norm)));
    others.push_back((*other->change())(direction(5, norm)));
  }
  size_t at = 0;  // from here on everything is decided
  for (const double norm : {0.01, 1.0, 2.6, 20.0}) {
    const double change = test::change_reference(*map, X_, 2, direction(3, norm));
    EXPECT_NEAR(changes[at], change, 1e-9 * change + 1e-15);
    EXPECT_NEAR(inners[at], test::inner_reference(*map, X_, 2, direction(4, norm), psi), 1e-10 * psi.norm());
    const double elsewhere = test::change_reference(*map, X_, 4, direction(5, norm));
    EXPECT_NEAR(others[at++], elsewhere, 1e-9 * elsewhere + 1e-15);
  }
  const Matrix reference = map->features_reference(X_);
  EXPECT_LT((reference - sample->features()).norm(), 1e-12 * reference.norm());
}

TEST_P(DeferredFeatures, GradientsMatchDifferences) {
  const auto map = draw("deferred");
  const auto sample = map->at(X_);
  const Matrix psi = gaussian_matrix(Stream(23), sample->features().rows(), 1);
  const auto view = sample->token(1);
  for (const bool change : {true, false}) {
    const auto f = change ? view->change() : view->inner(psi);
    const Vector at = direction(6, 1.3);
    Vector gradient;
    (*f)(at, &gradient);
    for (Index c = 0; c < d_; ++c) {
      const Vector step = 1e-6 * Vector::Unit(d_, c);
      EXPECT_NEAR(gradient[c], ((*f)(at + step) - (*f)(at - step)) / 2e-6, 1e-6 * (1 + gradient.norm()));
    }
  }
}

TEST_P(DeferredFeatures, TheReportedSIsThatOfTheWeightsWritten) {
  const auto map = draw("deferred");
  const auto sample = map->at(X_);
  const auto found = measure_token(*sample, 3, {.radius = Radius::absolute(2)}, Stream(4));
  const auto dense =
      map_registry().get(GetParam().map).with_weights(case_options(GetParam(), n_, d_, "dense"), map->weights());
  const double change = std::sqrt(test::change_reference(*dense, X_, 3, found.delta));
  EXPECT_NEAR(found.sensitivity, change / dense->features_reference(X_).norm(), 1e-9 * found.sensitivity);
  EXPECT_LE(found.delta.norm(), 2 * (1 + 1e-14));
}

TEST_P(DeferredFeatures, AllTokensAndSamplesSeeOneV) {
  const auto map = draw("deferred");
  const auto sample = map->at(X_);
  const auto all = measure_tokens(*sample, {.radius = Radius::absolute(2)}, Stream(4));
  Matrix Y = X_;
  Y.row(0) *= -1;
  Y.row(3) += direction(8, 1).transpose();
  const Matrix features = map->at(Y)->features();
  const Matrix reference = map->features_reference(Y);
  EXPECT_LT((features - reference).norm(), 1e-12 * reference.norm());
  EXPECT_GE(all.most.sensitivity, all.sensitivities[0]);
}

TEST_P(DeferredFeatures, ThreadsDoNotChangeABit) {
  const auto measure = [&](int threads) {
    set_thread_count(threads);
    const auto map = map_registry().get(GetParam().map).draw(case_options(GetParam(), 90, 30, ""), Stream(9));
    const auto sample = map->at(sphere_sample(Stream(3), 90, 30));
    const auto found = measure_token(*sample, 7, {.radius = Radius::absolute(3), .max_iterations = 4}, Stream(4));
    set_thread_count(2);
    return std::pair(found.sensitivity, found.delta);
  };
  const auto once = measure(1);
  EXPECT_EQ(once, measure(2));
  EXPECT_EQ(once, measure(4));
}

TEST_P(DeferredFeatures, StreamedIsDenseBitForBit) {
  const auto dense_map = draw("dense"), streamed_map = draw("streamed");
  const auto dense = dense_map->at(X_), streamed = streamed_map->at(X_);
  EXPECT_EQ(dense->features(), streamed->features());
  const auto a = measure_token(*dense, 1, {.radius = Radius::absolute(2)}, Stream(4)),
             b = measure_token(*streamed, 1, {.radius = Radius::absolute(2)}, Stream(4));
  EXPECT_EQ(a.sensitivity, b.sensitivity);
  EXPECT_EQ(a.delta, b.delta);
  EXPECT_EQ(a.upper_bound, b.upper_bound);
}

TEST_P(DeferredFeatures, TheTailBoundLiesAboveTheCertifiedOne) {
  const auto map = draw("deferred");
  const auto sample = map->at(X_);
  const auto tail = sample->token(0)->upper_bound(2);
  ASSERT_TRUE(tail);
  EXPECT_GT(tail->failure_probability, 0);
  EXPECT_LE(tail->failure_probability, 1.0001e-9);
  const auto dense =
      map_registry().get(GetParam().map).with_weights(case_options(GetParam(), n_, d_, ""), map->weights());
  const auto certified = dense->at(X_)->token(0)->upper_bound(2);
  EXPECT_EQ(certified->failure_probability, 0);
  EXPECT_LT(certified->change, tail->change);
}

TEST_P(DeferredFeatures, AFunctionMayOutliveItsViewItsSampleAndItsMap) {
  MapOptions options = case_options(GetParam(), n_, d_, "deferred");
  for (const bool keep : {true, false}) {
    options.keep_weights = keep;
    const auto fresh = [&] { return map_registry().get(GetParam().map).draw(options, Stream(9)); };
    const auto map = fresh();
    const auto change = fresh()->at(X_)->token(1)->change();
    const std::vector<Matrix> overwritten(64, Matrix::Constant(n_, d_, std::nan("")));
    const Vector delta = direction(3, 1);
    EXPECT_EQ((*change)(delta), (*map->at(X_)->token(1)->change())(delta));
  }
}

INSTANTIATE_TEST_SUITE_P(Maps, DeferredFeatures,
                         testing::Values(FeaturesCase{"rf", "relu", 1}, FeaturesCase{"rf", "gelu", 1},
                                         FeaturesCase{"drf", "tanh", 2}, FeaturesCase{"drf", "relu", 3},
                                         FeaturesCase{"drf", "identity", 2}, FeaturesCase{"drf", "gelu", 3}),
                         [](const auto& test) {
                           return test.param.map + "_" + test.param.activation + "_" + std::to_string(test.param.depth);
                         });

// --- the token blocks ---

TEST(DeferredBlocks, TheTokensImagesAddUpToTheSamplesImage) {
  const Matrix X = gaussian_matrix(Stream(1), 11, 4);
  DeferredBlocks V(Stream(2), 11, 4, 300, 0.5, true);
  const Vector z = V.image(X);
  Vector sum = Vector::Zero(300);
  for (const Index j : {5, 0, 10, 3, 1, 2, 9, 8, 7, 6, 4}) sum += *V.block(j) * X.row(j).transpose();
  EXPECT_LT((sum - z).norm(), 1e-12 * z.norm());
}

// The images of different tokens are independent N(0, scale²‖x_j‖²): their correlations are those of noise.
TEST(DeferredBlocks, TheTokensImagesAreIndependentAndOfTheRightSize) {
  const Index k = 40000, n = 6;
  Matrix X = gaussian_matrix(Stream(1), n, 3);
  X.row(2) *= 5;
  DeferredBlocks V(Stream(2), n, 3, k, 0.5, true);
  V.image(X);
  Eigen::MatrixXd images(k, n);
  for (Index j = 0; j < n; ++j) images.col(j) = *V.block(j) * X.row(j).transpose() / (0.5 * X.row(j).norm());
  const Eigen::MatrixXd covariance = images.transpose() * images / static_cast<double>(k);
  EXPECT_LT((covariance - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(), 4.5 * std::sqrt(2.0 / k));
}

TEST(DeferredBlocks, ATokensImageDoesNotDependOnWhoWasAskedBefore) {
  const Matrix X = gaussian_matrix(Stream(1), 9, 4);
  DeferredBlocks one(Stream(2), 9, 4, 50, 1, true), other(Stream(2), 9, 4, 50, 1, true);
  one.image(X);
  other.image(X);
  for (const Index j : {8, 2, 5}) *other.block(j) * gaussian_vector(Stream(3), 4);
  const Vector u = gaussian_vector(Stream(4), 4);
  EXPECT_EQ(*one.block(4) * u, *other.block(4) * u);
}

TEST(DeferredBlocks, ABlockThatWasLetGoIsNotReplacedByAnother) {
  DeferredBlocks V(Stream(2), 3, 4, 50, 1, /*keep=*/false);
  V.image(Matrix::Ones(3, 4));
  {
    const auto held = V.block(1);
    EXPECT_EQ(held, V.block(1));
  }
  EXPECT_THROW(V.block(1), UsageError);
  EXPECT_GT(V.memory_bytes(), 8.0 * (50 + 50 + 4));  // the sum, and the pair the block began with
  EXPECT_NO_THROW(V.block(2));
}

TEST(DeferredFeaturesOptions, NameWhatIsWrong) {
  const MapEntry& entry = map_registry().get("rf");
  MapOptions options = case_options({"rf", "cosine", 1}, 2, 3, "");
  EXPECT_THROW(entry.describe(options), UsageError);
  options.set("activation", "relu");
  options.random = "lazy";
  EXPECT_THROW(entry.describe(options), UsageError);
  options.random = "deferred";
  EXPECT_THROW(entry.with_weights(options, Matrix::Ones(6, 6)), UsageError);
}

TEST(DeferredFeaturesOptions, DeferredNeverFormsTheMatrix) {
  const MapOptions options = case_options({"drf", "relu", 4}, 40, 100, "deferred");
  const auto map = map_registry().get("drf").draw(options, Stream(1));
  const auto sample = map->at(sphere_sample(Stream(2), 40, 100));
  measure_token(*sample, 0, {.radius = Radius::absolute(10), .starts = 1, .max_iterations = 5}, Stream(1));
  EXPECT_LT(*map->memory_bytes(), 8.0 * 4000 * 4000 / 4);
}

}  // namespace
}  // namespace wordsway
