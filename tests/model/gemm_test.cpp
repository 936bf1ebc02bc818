#include "wordsway/model/products/gemm.h"

#include <limits>

#include <gtest/gtest.h>

#include "model/reference.h"

namespace wordsway::test {
namespace {

TEST(GemmOnThisThread, HandlesTransposesScalesAndStrides) {
  const MatrixF big = random_matrix(20, 30, 3), other = random_matrix(20, 40, 4);
  const auto A = big.middleCols(5, 8);
  const auto B = other.middleCols(11, 13);
  MatrixF C = random_matrix(8, 20, 5);
  const Matrix expected =
      0.5 * A.cast<double>().transpose() * B.cast<double>() + 2.0 * C.middleCols(3, 13).cast<double>();
  const MatrixF untouched = C;
  gemm_on_this_thread(Transpose::kTransposed, Transpose::kPlain, 0.5f, A, B, 2.f, C.middleCols(3, 13));
  EXPECT_LT(relative_error(MatrixF(C.middleCols(3, 13)), expected), 1e-6);
  EXPECT_EQ(C.leftCols(3), untouched.leftCols(3));
  EXPECT_EQ(C.rightCols(4), untouched.rightCols(4));
}

TEST(GemmOnThisThread, MultipliesEveryRemainderOfATile) {
  for (Index m = 1; m <= 17; ++m)
    for (const Index n : {1, 3, 4, 15, 16, 17, 31, 33, 47, 48, 49, 65})
      for (const Index k : {1, 5, 16, 19}) {
        const MatrixF A = random_matrix(m, k, 1), At = A.transpose(), B = random_matrix(k, n, 2), Bt = B.transpose();
        const Matrix expected = A.cast<double>() * B.cast<double>();
        MatrixF C(m, n);
        gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, 1, A, B, 0, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
        gemm_on_this_thread(Transpose::kTransposed, Transpose::kPlain, 1, At, B, 0, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
        gemm_on_this_thread(Transpose::kTransposed, Transpose::kTransposed, 1, At, Bt, 0, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
        gemm_on_this_thread(Transpose::kPlain, Transpose::kTransposed, 1, A, Bt, 0, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
      }
}

TEST(GemmOnThisThread, DoesNotReadCWhenBetaIsZero) {
  const MatrixF A = random_matrix(5, 6, 1), B = random_matrix(6, 7, 2);
  MatrixF C = MatrixF::Constant(5, 7, std::numeric_limits<float>::quiet_NaN());
  gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, 1, A, B, 0, C);
  EXPECT_TRUE(C.allFinite());
}

}  // namespace
}  // namespace wordsway::test
