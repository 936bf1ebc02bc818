#include "wordsway/data/labelled_source.h"

#include <set>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"

namespace wordsway::test {
namespace {

// Sample s is all s + 1, so that it can be recognised.
LabelledArray numbered_pool(Index count, Index n, Index d) {
  LabelledArray array{"pool.npy", {count, n, d}, {}, {}, /*normalise=*/false};
  for (Index s = 0; s < count; ++s) {
    array.values.insert(array.values.end(), static_cast<size_t>(n * d), static_cast<double>(s + 1));
    array.labels.push_back(s % 2 == 0 ? 1 : -1);
  }
  return array;
}

TEST(SyntheticLabels, AreBalancedBothOnTheSphereAndWithASharedDirection) {
  for (const char* data : {"sphere", "spiked:0.7"})
    for (const char* rule : {"halfspace", "coin"}) {
      const LabelledSamples drawn = synthetic_labelled_source(data, rule, 1)->draw(6, 10, 2000, 0);
      EXPECT_LT(std::abs(drawn.labels.sum()), 5 * std::sqrt(2000.0)) << data << " " << rule;
      EXPECT_EQ(drawn.labels.cwiseAbs().sum(), 2000);
    }
}

TEST(SyntheticLabels, OfAHalfspaceCanBeSeparatedLinearly) {
  const LabelledSamples drawn = synthetic_labelled_source("sphere", "halfspace", 1)->draw(2, 3, 200, 0);
  Vector w = Vector::Zero(6);  // perceptron: ends when every sample is on its side
  bool separated = false;
  for (int round = 0; round < 20000 && !separated; ++round) {
    separated = true;
    for (Index s = 0; s < 200; ++s)
      if (drawn.labels[s] * drawn.training.row(s).dot(w) <= 0) {
        w += drawn.labels[s] * drawn.training.row(s).transpose();
        separated = false;
      }
  }
  EXPECT_TRUE(separated);
}

TEST(SyntheticLabels, GrowTheTrainingSetWithoutChangingItsBeginning) {
  const auto source = synthetic_labelled_source("spiked:0.3", "halfspace", 5);
  const LabelledSamples small = source->draw(4, 5, 3, 2), large = source->draw(4, 5, 8, 2);
  EXPECT_EQ(small.training, large.training.topRows(3));
  EXPECT_EQ(small.labels, large.labels.head(3));
  EXPECT_EQ(small.X, large.X);
  EXPECT_NE(small.X, source->draw(4, 5, 3, 3).X);
}

TEST(SyntheticLabels, RefuseAnUnknownRule) {
  EXPECT_THROW(synthetic_labelled_source("sphere", "majority", 1), UsageError);
}

TEST(Pool, DrawsDifferentSamplesWithTheirLabels) {
  const auto source = pool_source(numbered_pool(12, 2, 3), 1);
  const LabelledSamples drawn = source->draw(2, 3, 11, 0);
  std::set<double> seen{drawn.X(0, 0)};
  EXPECT_EQ(drawn.label, std::fmod(drawn.X(0, 0), 2) == 1 ? 1 : -1);
  for (Index s = 0; s < 11; ++s) {
    EXPECT_TRUE(seen.insert(drawn.training(s, 0)).second);
    EXPECT_EQ(drawn.labels[s], std::fmod(drawn.training(s, 0), 2) == 1 ? 1 : -1);
  }
  EXPECT_NE(source->draw(2, 3, 11, 1).training, drawn.training);
}

TEST(Pool, SaysWhenItIsTooSmallOrItsLabelsAreWrong) {
  EXPECT_THROW(pool_source(numbered_pool(5, 2, 3), 1)->draw(2, 3, 5, 0), DataError);
  EXPECT_THROW(pool_source(numbered_pool(5, 2, 3), 1)->draw(3, 3, 2, 0), DataError);
  LabelledArray zero_label = numbered_pool(5, 2, 3);
  zero_label.labels[1] = 0;
  EXPECT_THROW(pool_source(zero_label, 1), DataError);
  LabelledArray missing_label = numbered_pool(5, 2, 3);
  missing_label.labels.pop_back();
  EXPECT_THROW(pool_source(missing_label, 1), DataError);
}

TEST(FixedSamples, AreGivenAsTheyAre) {
  const auto source = fixed_source(numbered_pool(4, 2, 3), numbered_pool(1, 2, 3));
  const LabelledSamples drawn = source->draw(2, 3, 4, 9);
  for (Index s = 0; s < 4; ++s) EXPECT_EQ(drawn.training(s, 5), static_cast<double>(s + 1));
  EXPECT_EQ(drawn.X, Matrix::Ones(2, 3));
}

TEST(FixedSamples, MustHaveTheShapeOfTheTrainingSamples) {
  EXPECT_THROW(fixed_source(numbered_pool(4, 2, 3), numbered_pool(1, 2, 4)), DataError);
}

}  // namespace
}  // namespace wordsway::test
