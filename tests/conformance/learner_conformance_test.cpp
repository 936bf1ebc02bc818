// What every map owes a learner: feature rows of many samples, and functions of several inner products.
#include <algorithm>

#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"

namespace wordsway::test {
namespace {

constexpr Index kSamples = 9, kLearnerTokens = 7, kLearnerD = 5;

Matrix make_samples() {
  Matrix samples(kSamples, kLearnerTokens * kLearnerD);
  for (Index s = 0; s < kSamples; ++s) {
    const Matrix X = sphere_sample(Stream(1).derive(static_cast<std::uint64_t>(s)), kLearnerTokens, kLearnerD);
    samples.row(s) = Eigen::Map<const Vector>(X.data(), X.size());
  }
  return samples;
}

class LearnerConformance : public testing::TestWithParam<std::string> {};

TEST_P(LearnerConformance, GivesAnyRowsOfTheFeaturesOfManySamples) {
  const auto map = draw_map(GetParam(), kLearnerTokens, kLearnerD, 3);
  const Matrix samples = make_samples();
  for (const auto& [first, count] : {std::pair<Index, Index>(0, 7), {2, 1}, {3, 4}}) {
    Matrix rows;
    for (Index s = 0; s < kSamples; ++s) {
      const Matrix expected =
          map->features_reference(Eigen::Map<const Matrix>(samples.row(s).data(), kLearnerTokens, kLearnerD))
              .middleRows(first, count);
      if (s == 0) {
        rows.resize(kSamples, expected.size());
        map->feature_rows(samples, kLearnerTokens, first, count, rows);
      }
      const Vector flat = Eigen::Map<const Vector>(expected.data(), expected.size());
      EXPECT_LE((rows.row(s).transpose() - flat).norm(), 1e-12 * (1 + flat.norm()));
    }
  }
}

TEST_P(LearnerConformance, ComposesSeveralInnerProductsWithTheRightGradient) {
  const auto map = draw_map(GetParam(), kLearnerTokens, kLearnerD, 3);
  const Matrix X = sphere_sample(Stream(4), kLearnerTokens, kLearnerD);
  const auto sample = map->at(X);
  const auto view = sample->token(2);
  const Index rows = sample->features().rows(), columns = sample->features().cols();
  const std::vector<Matrix> psis = {gaussian_matrix(Stream(5), rows, columns),
                                    gaussian_matrix(Stream(6), rows, columns)};
  const auto f = view->outer(psis, [](std::span<const double> v, std::span<double> gradient) {
    if (!gradient.empty()) {
      gradient[0] = v[1];
      gradient[1] = v[0] + 2 * v[1];
    }
    return v[0] * v[1] + v[1] * v[1];
  });
  const auto reference = [&](const Vector& delta) {
    const double a = inner_reference(*map, X, 2, delta, psis[0]), b = inner_reference(*map, X, 2, delta, psis[1]);
    return a * b + b * b;
  };
  const Vector delta = gaussian_vector(Stream(7), kLearnerD, 0.7);
  Vector gradient;
  const double value = (*f)(delta, &gradient);
  EXPECT_NEAR(value, reference(delta), 1e-10 * (1 + std::abs(value)));
  EXPECT_NEAR((*f)(delta), value, 1e-12 * (1 + std::abs(value)));
  for (Index c = 0; c < kLearnerD; ++c) {
    const Vector step = Vector::Unit(kLearnerD, c) * 1e-6;
    EXPECT_NEAR(gradient[c], (reference(delta + step) - reference(delta - step)) / 2e-6, 1e-5 * (1 + gradient.norm()));
  }
}

TEST_P(LearnerConformance, RefusesAPsiOfAnotherShape) {
  const auto map = draw_map(GetParam(), kLearnerTokens, kLearnerD, 3);
  const auto sample = map->at(sphere_sample(Stream(4), kLearnerTokens, kLearnerD));
  EXPECT_THROW(sample->token(0)->outer({Matrix::Zero(3, 2)}, identity_outer()), DataError);
}

INSTANTIATE_TEST_SUITE_P(Maps, LearnerConformance, testing::ValuesIn(map_registry().names()), [](const auto& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace wordsway::test
