// Dense and streamed Gaussian matrices.
#include <Eigen/SVD>
#include <gtest/gtest.h>

#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {
namespace {

TEST(StreamedMatrix, IsTheDenseMatrixBitForBit) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{1, 1}, {7, 3}, {700, 33}, {256, 512}, {1000, 129}}) {
    DenseMatrix dense(Stream(3), rows, columns, 0.25);
    StreamedMatrix streamed(Stream(3), rows, columns, 0.25);
    const Vector u = gaussian_vector(Stream(4), columns), v = gaussian_vector(Stream(5), rows);
    EXPECT_EQ(dense.complete(), streamed.complete());
    EXPECT_EQ(dense * u, streamed * u) << rows << " x " << columns;
    EXPECT_EQ(dense.transpose_times(v), streamed.transpose_times(v)) << rows << " x " << columns;
    EXPECT_EQ(dense.norm_bound(), streamed.norm_bound());
  }
}

TEST(StreamedMatrix, HoldsNothing) {
  EXPECT_LT(StreamedMatrix(Stream(1), 1'000'000, 1'000'000, 1).memory_bytes(), 1000);
}

TEST(DenseMatrix, MultipliesLikeItsEntries) {
  DenseMatrix G(Stream(8), 600, 41, 0.5);
  const Vector u = gaussian_vector(Stream(9), 41), v = gaussian_vector(Stream(10), 600);
  EXPECT_LT((G * u - G.entries() * u).norm(), 1e-12);
  EXPECT_LT((G.transpose_times(v) - G.entries().transpose() * v).norm(), 1e-12);
}

TEST(DenseMatrix, ItsNormBoundIsSafeAndTight) {
  for (const Index columns : {1, 5, 60}) {
    DenseMatrix G(Stream(2), 400, columns, 1);
    const double norm = Eigen::JacobiSVD<Eigen::MatrixXd>(G.entries()).singularValues()[0];
    EXPECT_GE(*G.norm_bound(), norm);
    EXPECT_LT(*G.norm_bound(), norm * (1 + 1e-9));
  }
}

TEST(StoredMatrices, ThreadsDoNotChangeABit) {
  const Vector u = gaussian_vector(Stream(4), 50), v = gaussian_vector(Stream(5), 3000);
  const auto answers = [&](int threads) {
    set_thread_count(threads);
    StreamedMatrix G(Stream(1), 3000, 50, 1);
    const auto result = std::pair(Vector(G * u), G.transpose_times(v));
    set_thread_count(2);
    return result;
  };
  EXPECT_EQ(answers(1), answers(4));
}

}  // namespace
}  // namespace wordsway
