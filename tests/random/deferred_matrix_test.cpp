// Deferred Gaussian matrices: consistent like a matrix, distributed like a Gaussian one.
#include "wordsway/random/deferred_matrix.h"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "support/broken_matrices.h"
#include "support/statistics.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {
namespace {

struct Transcript {
  std::vector<Vector> u, Gu, v, Gtv;
};

// Queries that depend on the answers, as those of an ascent do.
Transcript interrogate(GaussianMatrix& G, int rounds, std::uint64_t seed = 77) {
  Transcript t;
  Vector u = gaussian_vector(Stream(seed), G.columns());
  for (int round = 0; round < rounds; ++round) {
    t.u.push_back(u);
    t.Gu.push_back(G * u);
    const Vector noise = gaussian_vector(Stream(seed).derive(static_cast<std::uint64_t>(round)), G.rows());
    t.v.push_back(t.Gu.back().cwiseMax(0) + 0.1 * noise);
    t.Gtv.push_back(G.transpose_times(t.v.back()));
    u = 0.5 * u + t.Gtv.back();
  }
  return t;
}

// The largest |⟨v, Gu⟩ − ⟨Gᵀv, u⟩| over all pairs, relative.
double adjointness_error(const Transcript& t) {
  double worst = 0;
  for (size_t i = 0; i < t.u.size(); ++i)
    for (size_t j = 0; j < t.v.size(); ++j) {
      const double scale = t.v[j].norm() * t.Gu[i].norm() + t.Gtv[j].norm() * t.u[i].norm();
      worst = std::max(worst, std::abs(t.v[j].dot(t.Gu[i]) - t.Gtv[j].dot(t.u[i])) / scale);
    }
  return worst;
}

TEST(DeferredMatrix, AllAnswersBelongToOneMatrix) {
  for (const auto& [rows, columns] : {std::pair<Index, Index>{50, 20}, {20, 50}, {3000, 40}, {5000, 5000}}) {
    DeferredMatrix G(Stream(1), rows, columns, 0.3);
    EXPECT_LT(adjointness_error(interrogate(G, 12)), 1e-13) << rows << " x " << columns;
  }
}

TEST(DeferredMatrix, ASpaceThatIsUsedUpStaysConsistent) {
  DeferredMatrix G(Stream(1), 9, 6, 1);
  EXPECT_LT(adjointness_error(interrogate(G, 25)), 1e-12);
  EXPECT_EQ(G.right_rank(), 6);
  EXPECT_LE(G.left_rank(), 9);
}

TEST(DeferredMatrix, RepeatedAndCombinedQueriesAnswerTheSame) {
  DeferredMatrix G(Stream(2), 300, 200, 1);
  const Transcript t = interrogate(G, 6);
  const Index right = G.right_rank(), left = G.left_rank();
  EXPECT_LT((G * t.u[2] - t.Gu[2]).norm(), 1e-12 * t.Gu[2].norm());
  EXPECT_LT((G.transpose_times(t.v[4]) - t.Gtv[4]).norm(), 1e-12 * t.Gtv[4].norm());
  EXPECT_LT((G * (2 * t.u[0] - 3 * t.u[5]) - (2 * t.Gu[0] - 3 * t.Gu[5])).norm(), 1e-11 * t.Gu[5].norm());
  EXPECT_EQ(G.right_rank(), right);
  EXPECT_EQ(G.left_rank(), left);
}

TEST(DeferredMatrix, TheSameQueriesGetTheSameAnswersWithAnyThreads) {
  const auto ask = [](int threads) {
    set_thread_count(threads);
    DeferredMatrix G(Stream(2), 9000, 5000, 1);
    const Transcript t = interrogate(G, 4);
    set_thread_count(2);
    return std::pair(t.Gu.back(), t.Gtv.back());
  };
  const auto once = ask(1);
  EXPECT_EQ(once, ask(1));
  EXPECT_EQ(once, ask(4));
}

TEST(DeferredMatrix, ReportsWhatItHolds) {
  DeferredMatrix G(Stream(2), 1000, 400, 1);
  EXPECT_EQ(G.memory_bytes(), 0);
  interrogate(G, 3);
  EXPECT_EQ(G.right_rank(), 3);
  EXPECT_EQ(G.left_rank(), 3);
  EXPECT_GE(G.memory_bytes(), 8.0 * 6 * 1400);  // and the fresh vectors drawn ahead
  EXPECT_LE(G.memory_bytes(), 8.0 * 7 * 1400);
  EXPECT_FALSE(G.concurrent());
}

TEST(DeferredMatrix, StartsFromAPairThatIsGiven) {
  DeferredMatrix G(Stream(2), 100, 40, 1);
  const Vector u = gaussian_vector(Stream(3), 40), image = gaussian_vector(Stream(4), 100, u.norm());
  G.begin_with(u, image);
  EXPECT_LT((G * u - image).norm(), 1e-13 * image.norm());
  EXPECT_LT(adjointness_error(interrogate(G, 5)), 1e-13);
  EXPECT_THROW(G.begin_with(u, image), UsageError);
}

TEST(DeferredMatrix, CompletedItAgreesWithAllThatWasSaid) {
  DeferredMatrix G(Stream(5), 60, 30, 0.5);
  const Transcript t = interrogate(G, 7);
  const Matrix whole = G.complete();
  for (size_t i = 0; i < t.u.size(); ++i) {
    EXPECT_LT((whole * t.u[i] - t.Gu[i]).norm(), 1e-12 * t.Gu[i].norm());
    EXPECT_LT((whole.transpose() * t.v[i] - t.Gtv[i]).norm(), 1e-12 * t.Gtv[i].norm());
  }
  const Vector u = gaussian_vector(Stream(6), 30);
  EXPECT_LT((G * u - whole * u).norm(), 1e-13 * u.norm());
  EXPECT_EQ(G.complete(), whole);
  EXPECT_TRUE(G.concurrent());
}

// G = N + (Y − N R)Rᵀ, from the recipe alone.
Matrix made_by(const GaussianRecipe& recipe, Index rows, Index columns, double scale) {
  Matrix G = gaussian_matrix(recipe.stream, rows, columns, scale);
  if (recipe.directions.cols() > 0)
    G += ((recipe.images - G * recipe.directions) * recipe.directions.transpose()).eval();
  return G;
}

TEST(DeferredMatrix, GivesARecipeOfWhatCompletingItWouldGive) {
  DeferredMatrix G(Stream(5), 60, 30, 0.5);
  for (int k = 0; k < 3; ++k) {
    const auto recipe = G.recipe();
    ASSERT_TRUE(recipe);
    EXPECT_EQ(recipe->directions.cols(), k);
    DeferredMatrix same = G;
    const Matrix whole = same.complete();
    EXPECT_LT((made_by(*recipe, 60, 30, 0.5) - whole).norm(), 1e-13 * whole.norm());
    EXPECT_FALSE(same.recipe());
    G* gaussian_vector(Stream(static_cast<std::uint64_t>(k)), 30);
  }
  G.transpose_times(Vector::Ones(60));
  EXPECT_FALSE(G.recipe());
}

TEST(StreamedMatrix, GivesARecipeOfItsEntries) {
  StreamedMatrix G(Stream(7), 9, 5, 2);
  EXPECT_EQ(made_by(*G.recipe(), 9, 5, 2), G.complete());
  EXPECT_FALSE(DenseMatrix(Stream(7), 9, 5, 2).recipe());
}

TEST(DeferredMatrix, RefusesVectorsOfOtherSizes) {
  DeferredMatrix G(Stream(5), 6, 3, 1);
  EXPECT_THROW(G * Vector::Ones(6), DataError);
  EXPECT_THROW(G.transpose_times(Vector::Ones(3)), DataError);
}

// --- the law ---

// Entries, and extreme eigenvalues of GᵀG, of matrices completed after an interrogation.
struct Draws {
  std::vector<double> entries, largest, smallest, squares;
};

template <typename MatrixType>
Draws complete_many(Index rows, Index columns, int draws, std::uint64_t seed) {
  Draws result;
  for (int draw = 0; draw < draws; ++draw) {
    MatrixType G(Stream(seed).derive(static_cast<std::uint64_t>(draw)), rows, columns, 1.0);
    interrogate(G, 4, 900 + static_cast<std::uint64_t>(draw));
    const Matrix whole = G.complete();
    result.entries.insert(result.entries.end(), whole.data(), whole.data() + whole.size());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> gram(whole.transpose() * whole, Eigen::EigenvaluesOnly);
    result.largest.push_back(gram.eigenvalues()[columns - 1]);
    result.smallest.push_back(gram.eigenvalues()[0]);
    result.squares.push_back(whole.squaredNorm());
  }
  return result;
}

TEST(DeferredMatrixLaw, CompletedItsEntriesAreNormal) {
  EXPECT_GT(test::ks_normal(complete_many<DeferredMatrix>(12, 7, 500, 1).entries), 0.01);
}

TEST(DeferredMatrixLaw, CompletedItsSpectrumIsThatOfAGaussianMatrix) {
  const Draws deferred = complete_many<DeferredMatrix>(12, 7, 800, 2),
              dense = complete_many<DenseMatrix>(12, 7, 800, 3);
  EXPECT_GT(test::ks_two_sample(deferred.largest, dense.largest), 0.01);
  EXPECT_GT(test::ks_two_sample(deferred.smallest, dense.smallest), 0.01);
  EXPECT_GT(test::ks_two_sample(deferred.squares, dense.squares), 0.01);
}

TEST(DeferredMatrixLaw, ForgettingTheKnownPartIsNoticed) {
  test::WithoutKnownPart broken(Stream(1), 50, 20, 0.3);
  EXPECT_GT(adjointness_error(interrogate(broken, 12)), 1e-3);
}

TEST(DeferredMatrixLaw, LeavingOutTheProjectionIsNoticed) {
  test::WithoutProjection broken(Stream(1), 50, 20, 0.3);
  EXPECT_GT(adjointness_error(interrogate(broken, 12)), 1e-3);
}

TEST(DeferredMatrixLaw, AWrongScaleIsNoticed) {
  EXPECT_LT(test::ks_normal(complete_many<test::WrongScale>(12, 7, 500, 1).entries), 1e-6);
}

}  // namespace
}  // namespace wordsway
