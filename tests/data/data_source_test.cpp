#include "wordsway/data/data_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <gmock/gmock.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

TEST(SyntheticSource, HasRowsOfNormRootD) {
  for (const char* name : {"sphere", "spiked:0.3", "spiked:1"}) {
    const Matrix X = synthetic_source(name, 1)->sample(20, 50, 0);
    EXPECT_LT((X.rowwise().norm().array() - std::sqrt(50)).abs().maxCoeff(), 1e-12) << name;
  }
}

TEST(SyntheticSource, GivesTheSameSampleForTheSameTrialOnly) {
  const auto source = synthetic_source("spiked:0.3", 1);
  EXPECT_EQ(source->sample(5, 6, 2), source->sample(5, 6, 2));
  EXPECT_NE(source->sample(5, 6, 2), source->sample(5, 6, 3));
  EXPECT_NE(source->sample(5, 6, 2), synthetic_source("spiked:0.3", 2)->sample(5, 6, 2));
}

// x·μ/√d is √A up to fluctuations of order 1/√d, so two tokens have cosine A.
TEST(SyntheticSource, TokensOfSpikedDataShareADirectionOfWeightA) {
  const Matrix X = synthetic_source("spiked:0.3", 1)->sample(200, 1000, 0);
  const Matrix cosines = X * X.transpose() / 1000;
  EXPECT_NEAR((cosines.sum() - cosines.trace()) / (200.0 * 199.0), 0.3, 0.01);
  const Matrix isotropic = synthetic_source("sphere", 1)->sample(200, 1000, 0);
  const Matrix none = isotropic * isotropic.transpose() / 1000;
  EXPECT_NEAR((none.sum() - none.trace()) / (200.0 * 199.0), 0, 0.01);
}

TEST(SyntheticSource, RefusesWhatItDoesNotKnow) {
  for (const char* name : {"", "cube", "spiked", "spiked:", "spiked:x", "spiked:-0.1", "spiked:1.1", "spiked:0.3x"})
    EXPECT_THROW(synthetic_source(name, 1), UsageError) << name;
}

TEST(ArraySource, TakesTheFirstRowsAndCoordinatesThenNormalises) {
  const auto source = array_source("x.npy", {2, 2, 3}, {3, 4, 9, 0, 2, 9, 1, 0, 9, 0, 1, 9}, true);
  const Matrix X = source->sample(2, 2, 0);
  EXPECT_NEAR(X(0, 0), 0.6 * std::sqrt(2), 1e-15);
  EXPECT_NEAR(X(1, 1), std::sqrt(2), 1e-15);
  EXPECT_EQ(source->sample(1, 2, 1), source->sample(1, 2, 3)) << "trials go round the samples";
  EXPECT_EQ(*source->count(), 2);
  EXPECT_EQ(array_source("x.npy", {1, 2}, {3, 4}, false)->sample(1, 2, 0)(0, 1), 4);
}

TEST(ArraySource, NormalisesTheSmallestNumbers) {
  const double smallest = std::numeric_limits<double>::denorm_min();
  const Matrix X = array_source("x", {1, 2}, {3 * smallest, -4 * smallest}, true)->sample(1, 2, 0);
  EXPECT_DOUBLE_EQ(X(0, 0), 0.6 * std::sqrt(2));
  EXPECT_DOUBLE_EQ(X(0, 1), -0.8 * std::sqrt(2));
}

TEST(ArraySource, RefusesBadArrays) {
  EXPECT_THROW(array_source("x", {4}, {1, 2, 3, 4}, true), DataError);
  EXPECT_THROW(array_source("x", {0, 4}, {}, true), DataError);
  EXPECT_THROW(array_source("x", {1, 2}, {1, 2}, true)->sample(2, 2, 0), DataError);
  EXPECT_THROW(array_source("x", {1, 2}, {0, 0}, true)->sample(1, 2, 0), DataError);
  EXPECT_THROW(array_source("x", {1, 2}, {1, std::nan("")}, false)->sample(1, 2, 0), DataError);
}

TEST(SyntheticSource, ReplacesATokenByNewOnesOfTheSameLaw) {
  const auto source = synthetic_source("spiked:0.9", 1);
  const Matrix X = source->sample(20, 16, 2);
  const ReplacementWords words = source->replacement_words({20, 16, 2, 3}, 30, Stream(4));
  ASSERT_EQ(words.rows.rows(), 30);
  EXPECT_EQ(source->replacement_count(30), 30);
  EXPECT_EQ(words.drawn.size(), 30U);
  EXPECT_EQ(words.drawn.back(), 29);
  EXPECT_LT((words.rows.rowwise().norm().array() - 4).abs().maxCoeff(), 1e-12);
  const Eigen::RowVectorXd mean = X.colwise().mean(), of_words = words.rows.colwise().mean();
  EXPECT_GT(mean.normalized().dot(of_words.normalized()), 0.95) << "they share the direction of the trial";
  EXPECT_NE(words.rows, source->replacement_words({20, 16, 2, 3}, 30, Stream(5)).rows);
}

TEST(ArraySource, ReplacesATokenByTheOtherRowsOfAllSamples) {
  // Two samples of three rows: one row comes three times, one is padding, and one is not a number.
  const std::vector<double> values = {1, 0, 0, 2, 0, 3, /**/ 0, 5, 0, 0, std::nan(""), 1};
  const auto source = array_source("x.npy", {2, 3, 2}, values, false);
  const ReplacementWords plain = source->replacement_words({2, 2, 0, 0}, 6, Stream(1));
  EXPECT_EQ(plain.rows, (Matrix(4, 2) << 0, 2, 0, 3, 0, 5, 0, 0).finished());
  EXPECT_EQ(plain.drawn.size(), 6U);
  EXPECT_EQ(source->replacement_count(6), 5);
  const auto scaled = array_source("x.npy", {2, 3, 2}, values, true);
  const ReplacementWords words = scaled->replacement_words({2, 2, 0, 0}, 6, Stream(1));
  EXPECT_EQ(words.rows.rows(), 3) << "rows of zeros are padding";
  EXPECT_LT((words.rows.rowwise().norm().array() - std::sqrt(2.0)).abs().maxCoeff(), 1e-12);
  EXPECT_EQ(source->replacement_words({2, 1, 0, 0}, 6, Stream(1)).rows, Matrix::Zero(1, 1)) << "one coordinate";
  EXPECT_THAT(
      [] {
        array_source("x.npy", {1, 2}, {1, 2}, true)->replacement_words({1, 2, 0, 0}, 3, Stream(1));
      },
      testing::ThrowsMessage<DataError>(testing::HasSubstr("no other row")));
}

TEST(ArraySource, DrawsARowAsOftenAsItComes) {
  const auto source = array_source("x.npy", {5, 1}, {1, 2, 3, 3, 3}, false);
  const ReplacementWords words = source->replacement_words({5, 1, 0, 0}, 4000, Stream(1));
  ASSERT_EQ(words.rows, (Matrix(2, 1) << 2, 3).finished());
  EXPECT_NEAR(static_cast<double>(std::count(words.drawn.begin(), words.drawn.end(), 1)) / 4000, 0.75, 0.04);
}

TEST(ArraySource, TriesSomeThousandRowsAtMost) {
  std::vector<double> values(6000);
  std::iota(values.begin(), values.end(), 1.0);
  const auto source = array_source("x.npy", {6000, 1}, values, false);
  EXPECT_EQ(source->replacement_words({10, 1, 0, 0}, 5, Stream(1)).rows.rows(), kMostReplacementWords);
  EXPECT_EQ(source->replacement_count(5), kMostReplacementWords);
}

TEST(DataSource, OfOthersHasNoWordsUnlessItSaysSo) {
  class Own final : public DataSource {
   public:
    std::string name() const override { return "mine"; }
    Record content() const override { return {}; }
    Matrix sample(Index n, Index d, std::uint64_t /*trial*/) const override { return Matrix::Ones(n, d); }
  };
  EXPECT_THAT(
      [] {
        Own().replacement_words({2, 2, 0, 0}, 3, Stream(1));
      },
      testing::ThrowsMessage<UsageError>(testing::HasSubstr("data mine have no words")));
}

double mean_cosine(const Matrix& X, Index distance) {
  double sum = 0;
  for (Index j = 0; j + distance < X.rows(); ++j) sum += X.row(j).normalized().dot(X.row(j + distance).normalized());
  return sum / static_cast<double>(X.rows() - distance);
}

TEST(SyntheticSource, CorrelatedTokensAreLikeTheirNeighboursAndLessLikeOthers) {
  const Matrix X = synthetic_source("correlated:0.8", 1)->sample(300, 1000, 0);
  EXPECT_NEAR(mean_cosine(X, 1), 0.8, 0.01);
  EXPECT_NEAR(mean_cosine(X, 3), 0.512, 0.02);
  EXPECT_NEAR(mean_cosine(X, 40), 0, 0.02);
  const Matrix same = synthetic_source("correlated:1", 1)->sample(5, 7, 0);
  for (Index j = 1; j < 5; ++j) EXPECT_LT((same.row(j) - same.row(0)).norm(), 1e-12);
}

TEST(SyntheticSource, OrthogonalTokensAreOrthogonalAndNoMoreThanD) {
  const auto source = synthetic_source("orthogonal", 1);
  const Matrix X = source->sample(30, 30, 0);
  EXPECT_LT((X * X.transpose() - 30 * Matrix::Identity(30, 30)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_THROW(source->sample(31, 30, 0), DataError);
}

TEST(SyntheticSource, RepeatedWordsComeAgainInTheirOrder) {
  const Matrix X = synthetic_source("repeated:3", 1)->sample(8, 10, 0);
  for (Index j = 0; j < 8; ++j) EXPECT_EQ(X.row(j), X.row(j % 3)) << j;
  EXPECT_NE(X.row(0), X.row(1));
  EXPECT_EQ(synthetic_source("repeated:50", 1)->sample(2, 3, 0).rows(), 2) << "fewer places than words";
}

TEST(SyntheticSource, GaussianEntriesAreThoseOfTheNormalDistribution) {
  const Matrix X = synthetic_source("gaussian", 1)->sample(300, 400, 0);
  const double count = static_cast<double>(X.size());
  EXPECT_NEAR(X.sum() / count, 0, 4 / std::sqrt(count));
  EXPECT_NEAR(X.squaredNorm() / count, 1, 4 * std::sqrt(2 / count));
  EXPECT_NEAR(X.array().pow(4).sum() / count, 3, 4 * std::sqrt(96 / count));
  const Vector norms = X.rowwise().norm();
  EXPECT_GT(norms.maxCoeff() - norms.minCoeff(), 0.5) << "rows keep their own norms";
}

TEST(FirstDirection, GoesFromOrthogonalTokensToOneLine) {
  const auto share = [](const char* data, Index n, Index d) {
    return share_of_first_direction(synthetic_source(data, 1)->sample(n, d, 0));
  };
  EXPECT_NEAR(share("orthogonal", 20, 50), 1.0 / 20, 1e-12);
  EXPECT_NEAR(share("repeated:1", 20, 50), 1, 1e-12);
  EXPECT_NEAR(share("spiked:1", 60, 50), 1, 1e-12);
  EXPECT_NEAR(share("spiked:0.6", 400, 1000), 0.6, 0.03);
  const Matrix wide = synthetic_source("sphere", 1)->sample(9, 30, 0);
  EXPECT_NEAR(share_of_first_direction(wide), share_of_first_direction(wide.transpose()), 1e-12);
  EXPECT_NEAR(share_of_first_direction(Eigen::Vector2d(3, 1).asDiagonal()), 0.9, 1e-12);
  EXPECT_THROW(share_of_first_direction(Matrix::Zero(2, 2)), DataError);
  EXPECT_THROW(share_of_first_direction(Matrix::Constant(2, 2, std::nan(""))), DataError);
}

}  // namespace
}  // namespace wordsway
