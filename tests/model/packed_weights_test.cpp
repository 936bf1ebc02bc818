#include "wordsway/model/products/packed_weights.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/reference.h"
#include "wordsway/core/parallel.h"

namespace wordsway::test {
namespace {

struct Shape {
  Index n, in, out;
};

class PackedWeightsOf : public testing::TestWithParam<Shape> {
 protected:
  const Index n = GetParam().n, in = GetParam().in, out = GetParam().out;
  const MatrixF W = random_matrix(out, in, 1), x = random_matrix(n, in, 2), cotangent = random_matrix(n, out, 3);
  const RowF bias = random_row(out, 4, 1.f);
  const PackedWeights packed{W};

  MatrixF forward(const Epilogue& epilogue = {}) const {
    MatrixF y(n, out);
    packed.forward(x, bias, y, epilogue);
    return y;
  }
  MatrixF vjp(const Epilogue& epilogue = {}) const {
    MatrixF result(n, in);
    packed.vjp(cotangent, result, epilogue);
    return result;
  }
};

TEST_P(PackedWeightsOf, MultiplyLikeAProductInDouble) {
  Matrix expected = x.cast<double>() * W.cast<double>().transpose();
  expected.rowwise() += bias.cast<double>();
  EXPECT_LT(relative_error(forward(), expected), 2e-6);
  EXPECT_LT(relative_error(vjp(), cotangent.cast<double>() * W.cast<double>()), 2e-6);
}

TEST_P(PackedWeightsOf, GiveTheSameBitsWithAnyNumberOfThreads) {
  const int before = available_threads();
  set_thread_count(1);
  const MatrixF y = forward(), x_cotangent = vjp();
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(forward(), y) << threads << " threads";
    EXPECT_EQ(vjp(), x_cotangent) << threads << " threads";
  }
  set_thread_count(before);
}

// One changed row is computed alone and must be what it is among others.
TEST_P(PackedWeightsOf, GiveARowAloneTheBitsItHasInAText) {
  MatrixF alone(1, out);
  packed.forward(x.bottomRows(1), bias, alone);
  EXPECT_EQ(alone, forward().bottomRows(1));
}

TEST_P(PackedWeightsOf, ShowTheEpilogueEveryEntryOnce) {
  const MatrixF y = forward(), x_cotangent = vjp();
  const auto add_one_to = [](const MatrixF& plain) {
    return [&plain](MatrixFRef block, Index row, Index column) {
      EXPECT_EQ(block, plain.block(row, column, block.rows(), block.cols()));
      block.array() += 1;
    };
  };
  EXPECT_EQ(forward(add_one_to(y)), (y.array() + 1).matrix());
  EXPECT_EQ(vjp(add_one_to(x_cotangent)), (x_cotangent.array() + 1).matrix());
}

TEST_P(PackedWeightsOf, GiveBackTheRowsOfTheMatrix) {
  EXPECT_EQ(packed.rows(0, out), W);
  EXPECT_EQ(packed.rows(out / 2, out - out / 2), W.bottomRows(out - out / 2));
  EXPECT_EQ(packed.size(), W.size());
}

INSTANTIATE_TEST_SUITE_P(Shapes, PackedWeightsOf,
                         testing::Values(Shape{1, 1, 1}, Shape{1, 384, 768}, Shape{7, 65, 193}, Shape{300, 130, 500},
                                         Shape{257, 96, 1540}, Shape{128, 700, 1}, Shape{1100, 33, 161},
                                         Shape{49, 51, 50}),
                         [](const auto& test) {
                           return std::to_string(test.param.n) + "x" + std::to_string(test.param.in) + "x" +
                                  std::to_string(test.param.out);
                         });

// Every entry is within the error that rounding can cause: the depth times half a unit of the sum of magnitudes.
void expect_product(const MatrixF& got, const Matrix& A, const Matrix& B, const std::string& what) {
  const double rounding = static_cast<double>(A.cols()) * 0x1p-24;
  const Matrix error = (got.cast<double>() - A * B).cwiseAbs(), bound = rounding * (A.cwiseAbs() * B.cwiseAbs());
  EXPECT_TRUE((error.array() <= bound.array()).all()) << what;
}

TEST(PackedWeights, MultiplyEveryRemainderOfATile) {
  for (Index n = 1; n <= 17; ++n)
    for (const Index out : {1, 3, 4, 15, 16, 17, 31, 33, 47, 48, 49, 65})
      for (const Index in : {1, 5, 16, 19, 48, 50}) {
        const MatrixF W = random_matrix(out, in, 1), x = random_matrix(n, in, 2), cotangent = random_matrix(n, out, 3);
        const PackedWeights packed(W);
        MatrixF y(n, out), x_cotangent(n, in);
        packed.forward(x, RowF::Zero(out), y);
        packed.vjp(cotangent, x_cotangent);
        const std::string what = fmt::format("n {}, out {}, in {}", n, out, in);
        expect_product(y, x.cast<double>(), W.cast<double>().transpose(), "forward, " + what);
        expect_product(x_cotangent, cotangent.cast<double>(), W.cast<double>(), "vjp, " + what);
      }
}

}  // namespace
}  // namespace wordsway::test
