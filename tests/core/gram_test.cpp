#include <gtest/gtest.h>

#include "wordsway/core/parallel.h"
#include "wordsway/core/tall_products.h"
#include "wordsway/random/gaussian.h"

namespace wordsway::test {
namespace {

TEST(Gram, IsTheProductWithTheTranspose) {
  for (const Index rows : {1, 5, 256, 300}) {
    const Matrix B = gaussian_matrix(Stream(1), rows, 40);
    Matrix K = Matrix::Ones(rows, rows);
    add_gram_lower(B, K);
    mirror_lower(K);
    const Matrix expected = Matrix::Ones(rows, rows) + B * B.transpose();
    EXPECT_LE((K - expected).cwiseAbs().maxCoeff(), 1e-12) << rows;
  }
}

TEST(Gram, HasTheSameBitsForAnyNumberOfThreads) {
  const Matrix B = gaussian_matrix(Stream(2), 700, 90);
  const int before = available_threads();
  Matrix found[2];
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    Matrix& K = found[threads == 4];
    K = Matrix::Zero(700, 700);
    add_gram_lower(B, K);
  }
  set_thread_count(before);
  EXPECT_EQ(found[0], found[1]);
}

TEST(SemidefiniteFactor, GivesTheMatrixBack) {
  for (const Index rank : {1, 3, 12, 40}) {
    const Matrix B = gaussian_matrix(Stream(3), 12, rank);
    const Matrix M = B * B.transpose(), C = semidefinite_factor(M);
    EXPECT_LE((C * C.transpose() - M).norm(), 1e-12 * M.norm()) << rank;
    EXPECT_EQ(Matrix(C.triangularView<Eigen::StrictlyUpper>()), Matrix::Zero(12, 12));
  }
}

TEST(SemidefiniteFactor, LeavesOutRowsThatDependOnEarlierOnes) {
  Matrix B = gaussian_matrix(Stream(4), 5, 9);
  B.row(3) = B.row(1);
  const Matrix C = semidefinite_factor(B * B.transpose());
  EXPECT_LE(std::abs(C(3, 3)), 1e-7);
  EXPECT_LE((C.row(3) - C.row(1)).norm(), 1e-7);
  EXPECT_EQ(semidefinite_factor(Matrix::Zero(4, 4)), Matrix::Zero(4, 4));
}

}  // namespace
}  // namespace wordsway::test
