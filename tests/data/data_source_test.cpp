#include "wordsway/data/data_source.h"

#include <algorithm>
#include <cmath>
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

}  // namespace
}  // namespace wordsway
