#include "wordsway/model/gemm.h"

#include <gtest/gtest.h>

#include "model/reference.h"
#include "wordsway/core/parallel.h"

namespace wordsway::test {
namespace {

struct Shape {
  Index m, n, k;
};

class Gemm : public testing::TestWithParam<Shape> {
 protected:
  const Index m = GetParam().m, n = GetParam().n, k = GetParam().k;
  const MatrixF A = random_matrix(m, k, 1), B = random_matrix(k, n, 2);
  const Matrix expected = A.cast<double>() * B.cast<double>();
};

TEST_P(Gemm, AgreesWithAProductInDouble) {
  MatrixF C(m, n), Ct(m, n);
  multiply(A, B, C);
  multiply_transposed(A, MatrixF(B.transpose()), Ct);
  EXPECT_LT(relative_error(C, expected), 2e-6);
  EXPECT_LT(relative_error(Ct, expected), 2e-6);
}

TEST_P(Gemm, GivesTheSameBitsWithAnyNumberOfThreads) {
  const int before = available_threads();
  MatrixF one(m, n), several(m, n);
  MatrixF one_transposed(m, n), several_transposed(m, n);
  const MatrixF Bt = B.transpose();
  set_thread_count(1);
  multiply(A, B, one);
  multiply_transposed(A, Bt, one_transposed);
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    multiply(A, B, several);
    multiply_transposed(A, Bt, several_transposed);
    EXPECT_EQ(one, several) << threads << " threads";
    EXPECT_EQ(one_transposed, several_transposed) << threads << " threads";
  }
  set_thread_count(before);
}

TEST_P(Gemm, ShowsTheEpilogueEveryEntryOnce) {
  MatrixF C(m, n), plain(m, n);
  multiply(A, B, plain);
  multiply(A, B, C, [&](MatrixFRef block, Index row, Index column) {
    EXPECT_EQ(block(0, 0), plain(row, column));
    block.array() += 1;
  });
  EXPECT_EQ(C, (plain.array() + 1).matrix());
}

INSTANTIATE_TEST_SUITE_P(Shapes, Gemm,
                         testing::Values(Shape{1, 1, 1}, Shape{1, 768, 384}, Shape{7, 193, 65}, Shape{300, 500, 130},
                                         Shape{257, 1540, 96}, Shape{128, 1, 700}, Shape{500, 33, 1601},
                                         Shape{49, 50, 51}),
                         [](const auto& test) {
                           return std::to_string(test.param.m) + "x" + std::to_string(test.param.n) + "x" +
                                  std::to_string(test.param.k);
                         });

TEST(GemmOnThisThread, HandlesTransposesScalesAndStrides) {
  const MatrixF big = random_matrix(20, 30, 3), other = random_matrix(20, 40, 4);
  const auto A = big.middleCols(5, 8);
  const auto B = other.middleCols(11, 13);
  MatrixF C = random_matrix(8, 20, 5);
  const Matrix expected =
      0.5 * A.cast<double>().transpose() * B.cast<double>() + 2.0 * C.middleCols(3, 13).cast<double>();
  const MatrixF untouched = C;
  gemm_on_this_thread(Op::kTransposed, Op::kPlain, 0.5f, A, B, 2.f, C.middleCols(3, 13));
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
        gemm_on_this_thread(Op::kPlain, Op::kPlain, 1, A, B, 0, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
        gemm_on_this_thread(Op::kTransposed, Op::kPlain, 1, At, B, 0, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
        gemm_on_this_thread(Op::kTransposed, Op::kTransposed, 1, At, Bt, 0, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
        multiply_transposed(A, Bt, C);
        ASSERT_LT(relative_error(C, expected), 2e-6) << m << " " << n << " " << k;
      }
}

TEST(GemmOnThisThread, DoesNotReadCWhenBetaIsZero) {
  const MatrixF A = random_matrix(5, 6, 1), B = random_matrix(6, 7, 2);
  MatrixF C = MatrixF::Constant(5, 7, std::numeric_limits<float>::quiet_NaN());
  gemm_on_this_thread(Op::kPlain, Op::kPlain, 1, A, B, 0, C);
  EXPECT_TRUE(C.allFinite());
}

}  // namespace
}  // namespace wordsway::test
