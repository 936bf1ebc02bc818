// The weights of random features: their law, their layout, what given ones must look like, and the norms they bound.
#include <cmath>

#include <Eigen/SVD>
#include <gmock/gmock.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/random_features/deferred_blocks.h"
#include "wordsway/maps/random_features/random_features.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {
namespace {

using testing::HasSubstr;

MapOptions sized(Index n, Index d) {
  MapOptions options;
  options.n = n;
  options.d = d;
  return options;
}

template <typename Call>
std::string data_refusal(const Call& call) {
  try {
    call();
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

double mean_square(const Matrix& entries) {
  return entries.squaredNorm() / static_cast<double>(entries.size());
}

// rf: N(0, 1/(nd)). drf: N(0, β_σ/columns) in every layer.
TEST(FeaturesWeights, HaveTheVarianceOfTheirLaw) {
  MapOptions options = sized(6, 10);
  options.set("width", 400);
  for (const char* random : {"dense", "streamed", "deferred"}) {
    options.random = random;
    const Matrix V = map_registry().get("rf").draw(options, Stream(1))->weights();
    ASSERT_EQ(V.cols(), 60);
    EXPECT_NEAR(mean_square(V) * 60, 1, 5 * std::sqrt(2.0 / (400 * 60))) << random;
    for (const std::string& name : activation_registry().names()) {
      MapOptions deep = options;
      deep.set("depth", 3).set("activation", name);
      const Matrix all = map_registry().get("drf").draw(deep, Stream(2))->weights();
      ASSERT_EQ(all.cols(), 60 + 2 * 400);
      const double beta = find_activation(name).variance;
      EXPECT_NEAR(mean_square(all.leftCols(60)) * 60 / beta, 1, 5 * std::sqrt(2.0 / (400 * 60))) << random << name;
      for (const Index layer : {60, 460})
        EXPECT_NEAR(mean_square(all.middleCols(layer, 400)) * 400 / beta, 1, 5 * std::sqrt(2.0) / 400)
            << random << name;
    }
  }
}

// φ_1 = σ(V_1 flat(X)), φ_2 = σ(V_2 φ_1), written down once more than in features_reference.
TEST(FeaturesWeights, LieSideBySideInTheOrderOfTheLayers) {
  const Index n = 2, d = 3, k = 4;
  const Matrix V1 = gaussian_matrix(Stream(1), k, n * d), V2 = gaussian_matrix(Stream(2), k, k);
  Matrix both(k, n * d + k);
  both << V1, V2;
  MapOptions options = sized(n, d);
  options.set("depth", 2).set("activation", "tanh");
  const Matrix X = sphere_sample(Stream(3), n, d);
  const auto map = map_registry().get("drf").with_weights(options, both);
  Vector phi(k), expected(k);
  for (Index a = 0; a < k; ++a) {
    double z = 0;
    for (Index j = 0; j < n; ++j)
      for (Index c = 0; c < d; ++c) z += V1(a, j * d + c) * X(j, c);
    phi[a] = std::tanh(z);
  }
  for (Index a = 0; a < k; ++a) expected[a] = std::tanh(V2.row(a).dot(phi));
  EXPECT_LT((map->at(X)->features().col(0) - expected).norm(), 1e-14);
  EXPECT_EQ(map->weights(), both);
}

TEST(FeaturesWeights, ThatAreGivenMustFitTheSampleTheDepthAndTheWidthAskedFor) {
  const MapEntry& entry = map_registry().get("drf");
  MapOptions options = sized(2, 3);
  options.set("depth", 2);
  EXPECT_NO_THROW(entry.with_weights(options, Matrix::Ones(4, 10)));
  EXPECT_THAT(data_refusal([&] { entry.with_weights(options, Matrix::Ones(4, 6)); }),
              HasSubstr("width x 10; got 4 x 6"));
  EXPECT_THAT(data_refusal([&] { entry.with_weights(options, Matrix(0, 6)); }), HasSubstr("got 0 x 6"));
  options.set("width", 5);
  EXPECT_THAT(data_refusal([&] { entry.with_weights(options, Matrix::Ones(4, 10)); }), HasSubstr("5 x 11; got 4 x 10"));
  Matrix broken = Matrix::Ones(5, 11);
  broken(4, 10) = HUGE_VAL;
  EXPECT_THAT(data_refusal([&] { entry.with_weights(options, broken); }), HasSubstr("not finite"));
}

TEST(FeaturesWeights, DecideTheWidthUnlessItWasGiven) {
  const MapEntry& entry = map_registry().get("rf");
  MapOptions options = sized(2, 3);
  entry.follow_weights(options, Matrix::Ones(9, 6));
  EXPECT_EQ(entry.describe(options).number("width"), 9);
  EXPECT_EQ(entry.feature_count(options), 9);
  entry.follow_weights(options, Matrix::Ones(4, 6));
  EXPECT_EQ(entry.describe(options).number("width"), 9);
  MapOptions plain = sized(2, 3);
  entry.follow_weights(plain, Matrix(0, 6));
  EXPECT_EQ(entry.describe(plain).number("width"), 6) << "the refusal of empty weights comes when they are used";
}

double largest_singular_value(const Matrix& matrix) {
  return Eigen::JacobiSVD<Eigen::MatrixXd>(matrix).singularValues()[0];
}

TEST(OperatorNormBound, IsCertifiedWhereTheMatrixExists) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>(30, 7), {7, 30}, {20, 20}, {1, 5}}) {
    const DenseMatrix matrix(Stream(1), rows, columns, 0.3);
    const UpperBound bound = operator_norm_bound(matrix, 1e-9);
    const double norm = largest_singular_value(matrix.entries());
    EXPECT_EQ(bound.failure_probability, 0);
    EXPECT_GE(bound.change, norm * (1 - 1e-13)) << rows << " x " << columns;
    EXPECT_LE(bound.change, 1.1 * norm) << rows << " x " << columns;
  }
}

// At a failure probability of 1/2 the tail bound still holds for nearly all of 200 matrices: it is conservative.
TEST(OperatorNormBound, HoldsAsOftenAsItSaysWhereTheMatrixDoesNotExist) {
  int failures = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto matrix = make_deferred(Stream(seed), 12, 8, 0.5);
    const UpperBound bound = operator_norm_bound(*matrix, 0.5);
    EXPECT_EQ(bound.failure_probability, 0.5);
    failures += largest_singular_value(matrix->complete()) > bound.change;
  }
  EXPECT_LE(failures, 100 + 3 * 7);
}

TEST(UpperBoundOfFeatures, IsTheProductOfNormsAndSlopes) {
  MapOptions options = sized(3, 4);
  options.set("depth", 3).set("width", 10).set("activation", "gelu");
  options.random = "dense";
  const auto map = map_registry().get("drf").draw(options, Stream(4));
  const Matrix V = map->weights();
  const auto bound = map->at(sphere_sample(Stream(5), 3, 4))->token(1)->upper_bound(2);
  ASSERT_TRUE(bound);
  const double norms = largest_singular_value(V.middleCols(4, 4)) * largest_singular_value(V.middleCols(12, 10)) *
                       largest_singular_value(V.middleCols(22, 10));
  const double expected = std::pow(find_activation("gelu").lipschitz, 3) * norms * 2;
  EXPECT_GE(bound->change, expected * (1 - 1e-12));
  EXPECT_LE(bound->change, 1.3 * expected);
}

TEST(FeaturesMemory, CountsTheWeightsThatAreHeld) {
  MapOptions options = sized(10, 20);
  options.set("depth", 2);
  const MapEntry& entry = map_registry().get("drf");
  const double weights = 8.0 * (200 * 200 + 200 * 200);
  options.random = "dense";
  EXPECT_GE(entry.memory_bytes(options), weights);
  EXPECT_LE(entry.memory_bytes(options), 1.2 * weights);
  EXPECT_GE(*entry.draw(options, Stream(1))->memory_bytes(), weights);
  options.random = "streamed";
  EXPECT_LT(entry.memory_bytes(options), 0.2 * weights);
  EXPECT_LT(*entry.draw(options, Stream(1))->memory_bytes(), 0.2 * weights);
}

}  // namespace
}  // namespace wordsway
