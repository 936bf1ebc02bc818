#include "wordsway/data/data_source.h"

#include <cmath>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace wordsway
