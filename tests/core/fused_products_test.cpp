#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/core/tall_products.h"

namespace wordsway {
namespace {

class FusedProducts : public testing::TestWithParam<std::pair<Index, Index>> {
 protected:
  void expect_near(const Vector& actual, const Vector& expected) const {
    EXPECT_LT((actual - expected).norm(), 1e-13 * (1 + expected.norm()));
  }
  Index rows_ = GetParam().first, columns_ = GetParam().second;
  Matrix M_ = Matrix::Random(rows_, columns_);
};

TEST_P(FusedProducts, PairEqualsTwoProducts) {
  const Vector u = Vector::Random(columns_), v = Vector::Random(columns_);
  Vector Mu(rows_), Mv(rows_);
  multiply_pair(M_, u, v, Mu, Mv);
  expect_near(Mu, M_ * u);
  expect_near(Mv, M_ * v);
}

TEST_P(FusedProducts, TransposedPairEqualsTwoProducts) {
  const Vector u = Vector::Random(rows_), v = Vector::Random(rows_);
  Vector Mtu(columns_), Mtv(columns_);
  multiply_pair_transposed(M_, u, v, Mtu, Mtv);
  expect_near(Mtu, M_.transpose() * u);
  expect_near(Mtv, M_.transpose() * v);
}

TEST_P(FusedProducts, BothWaysEqualsTwoProductsAndItsAdjoint) {
  if (rows_ != columns_) return;  // defined for square matrices
  const Vector x = Vector::Random(rows_), u = Vector::Random(rows_), v = Vector::Random(rows_);
  Vector Mx(rows_), Mtx(rows_), adjoint(rows_);
  multiply_both_ways(M_, x, Mx, Mtx);
  expect_near(Mx, M_ * x);
  expect_near(Mtx, M_.transpose() * x);
  multiply_both_ways_adjoint(M_, u, v, adjoint);
  expect_near(adjoint, M_.transpose() * u + M_ * v);
}

TEST_P(FusedProducts, WorksOnABlockOfALargerMatrix) {
  const Matrix large = Matrix::Random(rows_ + 3, columns_ + 5);
  const Vector u = Vector::Random(columns_), v = Vector::Random(columns_);
  Vector Mu(rows_), Mv(rows_);
  multiply_pair(large.block(2, 4, rows_, columns_), u, v, Mu, Mv);
  expect_near(Mu, large.block(2, 4, rows_, columns_) * u);
}

INSTANTIATE_TEST_SUITE_P(Shapes, FusedProducts,
                         testing::Values(std::pair<Index, Index>{1, 1}, std::pair<Index, Index>{4, 8},
                                         std::pair<Index, Index>{7, 7}, std::pair<Index, Index>{9, 33},
                                         std::pair<Index, Index>{64, 64}, std::pair<Index, Index>{67, 67},
                                         std::pair<Index, Index>{130, 5}));

TEST(FusedProductsShapes, AreChecked) {
  const Matrix M = Matrix::Random(3, 4);
  const Vector x = Vector::Random(4);
  Vector a(3), b(3), wrong(2);
  EXPECT_THROW(multiply_both_ways(M, x, a, b), InternalError);
  EXPECT_THROW(multiply_pair(M, x, x, a, wrong), InternalError);
}

}  // namespace
}  // namespace wordsway
