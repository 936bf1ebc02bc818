// The upper bound of attention: above whatever moves reach, below what rows reach one by one, and how much below.
#include "wordsway/maps/attention/attention_bound.h"

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/data/data_source.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

TEST(SquaredNormBound, LiesAboveTheNormAndNotFarAbove) {
  for (const auto& [rows, columns, spike] : {std::tuple(1, 1, 0.0), {7, 30, 0.0}, {60, 60, 0.0}, {60, 200, 5.0}}) {
    Matrix A = gaussian_matrix(Stream(3), rows, columns);
    A.row(0) *= 1 + spike;
    const Matrix gram = A * A.transpose();
    const double norm = Eigen::SelfAdjointEigenSolver<Matrix>(gram).eigenvalues().maxCoeff();
    const double bound = squared_norm_bound(gram);
    EXPECT_GE(bound, norm);
    EXPECT_LE(bound, norm * std::pow(rows, 1.0 / 16) * (1 + 1e-9));
    EXPECT_LE(bound, 1.05 * norm);
  }
  EXPECT_EQ(squared_norm_bound(Matrix::Zero(3, 3)), 0);
}

struct Case {
  const char* map;
  double beta;
  Index n, d;
  double spike;  // 0: on the sphere
};

class AttentionBound : public testing::TestWithParam<Case> {
 protected:
  AttentionBound() {
    const auto [name, beta, n, d, spike] = GetParam();
    X_ = spike > 0 ? spiked_sample(Stream(5), Stream(7), n, d, spike) : sphere_sample(Stream(5), n, d);
    map_ = test::draw_map(name, n, d, 11, beta);
    state_ = std::make_shared<const AttentionState>(dynamic_cast<const AttentionMap&>(*map_), X_);
  }

  Matrix X_;
  std::unique_ptr<FeatureMap> map_;
  std::shared_ptr<const AttentionState> state_;
};

TEST_P(AttentionBound, LiesBetweenWhatIsReachedAndWhatRowsReachOneByOne) {
  const auto sample = map_->at(X_);
  for (const Index token : {Index{0}, X_.rows() / 2})
    for (const double share : {1e-3, 0.1, 1.0, 5.0}) {
      const double radius = share * std::sqrt(static_cast<double>(X_.cols()));
      const AttentionToken at(state_, token);
      const double bound = attention_change_bound(at, radius);
      EXPECT_LE(bound, attention_change_bound_by_rows(at, radius) * (1 + 1e-9)) << share;
      const auto reached = measure_token(
          *sample, token, {.radius = Radius::absolute(radius), .starts = 48, .tolerance = 1e-8}, Stream(13));
      EXPECT_GE(bound, reached.sensitivity * sample->feature_norm() * (1 - 1e-9)) << share;
    }
}

TEST_P(AttentionBound, HoldsForTheRowOfTheToken) {
  const auto sample = map_->at(X_);
  const double radius = std::sqrt(static_cast<double>(X_.cols()));
  const double bound = moved_row_bound(
      *state_, 1, [](Index m) { return m == 1; }, radius);
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    Matrix moved = X_;
    Vector delta = gaussian_vector(Stream(1000 + draw), X_.cols());
    moved.row(1) += (delta * radius / delta.norm()).transpose();
    EXPECT_LE((map_->at(moved)->features().row(1) - sample->features().row(1)).norm(), bound);
  }
}

INSTANTIATE_TEST_SUITE_P(Maps, AttentionBound,
                         testing::Values(Case{"raf", 1, 12, 8, 0}, Case{"raf", 1, 30, 64, 0.3},
                                         Case{"raf", 8, 20, 6, 0}, Case{"raf", 0, 9, 5, 0},
                                         Case{"raf-relu", 1, 25, 16, 0}, Case{"raf-relu", 4, 10, 32, 0.5},
                                         Case{"raf-square", 1, 15, 20, 0.3}, Case{"raf-sigmoid", 2, 12, 12, 0},
                                         Case{"raf-softplus", 1, 12, 12, 0}, Case{"raf-elu", 3, 10, 10, 0.2},
                                         Case{"raf", 1, 2, 3, 0}));

// Where words are far from each other, no move draws all queries, and a bound row by row does not know it.
TEST(AttentionBoundOfOrthogonalWords, IsLessThanHalfOfWhatRowsReachOneByOne) {
  const Matrix X = sphere_sample(Stream(19), 100, 64);
  const auto map = test::draw_map("raf", 100, 64, 23);
  const AttentionToken token(std::make_shared<const AttentionState>(dynamic_cast<const AttentionMap&>(*map), X), 0);
  EXPECT_LT(attention_change_bound(token, 8), 0.5 * attention_change_bound_by_rows(token, 8));
}

}  // namespace
}  // namespace wordsway
