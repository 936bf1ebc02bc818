#include "wordsway/data/review_source.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "support/places.h"
#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

const std::filesystem::path kFolder = test::source_folder() / "models" / "builtin";

std::shared_ptr<const Transformer> transformer() {
  static const std::shared_ptr<const Transformer> result = Transformer::load(kFolder);
  return result;
}

std::shared_ptr<const Tokenizer> tokenizer() {
  static const std::shared_ptr<const Tokenizer> result = load_tokenizer(kFolder);
  return result;
}

TEST(ReviewSource, GivesRowsOfTheRightNorm) {
  const Matrix X = review_source(transformer(), tokenizer(), 1)->sample(40, 64, 0);
  ASSERT_EQ(X.rows(), 40);
  ASSERT_EQ(X.cols(), 64);
  EXPECT_LT((X.rowwise().norm().array() - 8).abs().maxCoeff(), 1e-12);
}

TEST(ReviewSource, CutsOneTextToEveryLength) {
  const auto source = review_source(transformer(), tokenizer(), 1);
  const Matrix whole = source->sample(250, 256, 3);
  EXPECT_EQ(source->sample(20, 256, 3), whole.topRows(20));
}

TEST(ReviewSource, HasAnotherTextInEveryTrialAndSeed) {
  const auto source = review_source(transformer(), tokenizer(), 1);
  const Matrix X = source->sample(30, 64, 0);
  EXPECT_EQ(X, source->sample(30, 64, 0));
  EXPECT_NE(X, source->sample(30, 64, 1));
  EXPECT_NE(X, review_source(transformer(), tokenizer(), 2)->sample(30, 64, 0));
}

TEST(ReviewSource, GoesAsFarAsTheModelDoes) {
  const auto source = review_source(transformer(), tokenizer(), 1);
  EXPECT_EQ(source->own_d(), 256);
  EXPECT_EQ(source->sample(512, 256, 0).rows(), 512);
  EXPECT_THAT([&] { source->sample(513, 256, 0); }, ThrowsMessage<DataError>(HasSubstr("512")));
  EXPECT_THAT([&] { source->sample(10, 257, 0); }, ThrowsMessage<DataError>(HasSubstr("256 coordinates")));
}

TEST(ReviewSource, IsNamedAfterAModelThatIsNotBuiltIn) {
  EXPECT_EQ(review_source(transformer(), tokenizer(), 1)->name(), "builtin");
  EXPECT_EQ(labelled_review_source(transformer(), tokenizer(), 1)->name(), "builtin");
  const Record content = review_source(transformer(), tokenizer(), 1)->content();
  for (const char* part : {"built-in reviews", "weights in model.safetensors", "settings in config.json",
                           "rules of the tokenizer in tokenizer.json"})
    EXPECT_TRUE(is_digest(content.text(part))) << part;
}

TEST(LabelledReviewSource, BringsLabelsThatTheWordsCarry) {
  const LabelledSamples drawn = labelled_review_source(transformer(), tokenizer(), 1)->draw(250, 256, 300, 0);
  ASSERT_EQ(drawn.training.rows(), 300);
  EXPECT_EQ(drawn.labels.sum(), 0) << "labels are balanced";
  EXPECT_EQ(drawn.labels.cwiseAbs().minCoeff(), 1);
  EXPECT_EQ(std::abs(drawn.label), 1);
  // The nearest of two class means, each over the mean of a review's rows, tells held-out reviews apart.
  Matrix means(300, 256);
  for (Index s = 0; s < 300; ++s) {
    const Vector flat = drawn.training.row(s);
    means.row(s) = Eigen::Map<const Matrix>(flat.data(), 250, 256).colwise().mean();
  }
  const Vector direction = means.topRows(200).transpose() * drawn.labels.head(200);
  const Vector scores = means.bottomRows(100) * direction;
  const double middle = (means.topRows(200) * direction).mean();
  const Index right = ((scores.array() - middle) * drawn.labels.tail(100).array() > 0).count();
  EXPECT_GT(right, 65) << "of 100";
}

TEST(LabelledReviewSource, ASmallTrainingSetBeginsALargeOne) {
  const auto source = labelled_review_source(transformer(), tokenizer(), 1);
  const LabelledSamples small = source->draw(10, 16, 5, 2), large = source->draw(10, 16, 9, 2);
  EXPECT_EQ(small.training, large.training.topRows(5));
  EXPECT_EQ(small.X, large.X);
  EXPECT_EQ(small.label, large.label);
}

TEST(LabelledReviewSource, TheNewSampleHasEitherLabel) {
  const auto source = labelled_review_source(transformer(), tokenizer(), 1);
  Index positive = 0;
  for (std::uint64_t trial = 0; trial < 40; ++trial) positive += source->draw(5, 4, 1, trial).label > 0;
  EXPECT_GT(positive, 8);
  EXPECT_LT(positive, 32);
}

TEST(ReviewSource, ReplacesATokenByOtherTokensOfTheReviews) {
  const auto source = review_source(transformer(), tokenizer(), 1);
  const Matrix X = source->sample(20, 64, 0);
  const ReplacementWords words = source->replacement_words({20, 64, 0, 5}, 8, Stream(1));
  EXPECT_GT(words.rows.rows(), 2500);
  EXPECT_LE(words.rows.rows(), source->replacement_count(8));
  EXPECT_EQ(words.drawn.size(), 8U);
  EXPECT_LT((words.rows.rowwise().norm().array() - 8).abs().maxCoeff(), 1e-12);
  EXPECT_GT((words.rows.rowwise() - X.row(5)).rowwise().norm().minCoeff(), 0.1) << "its own word is left out";
  EXPECT_EQ(source->replacement_words({250, 64, 0, 5}, 8, Stream(1)).rows, words.rows) << "the same at every n";
}

}  // namespace
}  // namespace wordsway
