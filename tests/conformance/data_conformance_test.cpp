// What every law of made-up samples must do. A new one is tested by existing.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/data/made_up_data.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Index kDataTokens = 8, kDataD = 40;

class DataConformance : public testing::TestWithParam<std::string> {
 protected:
  // As a user writes it, with the value in the middle of its range.
  std::string specification(double share = 0.5) const {
    const auto& parameter = law_.parameter;
    if (!parameter) return GetParam();
    const double most = parameter->whole ? std::min(parameter->most, 10.0) : parameter->most;
    const double value = parameter->least + share * (most - parameter->least);
    return GetParam() + ":" + (parameter->whole ? std::to_string(std::lround(value)) : std::to_string(value));
  }

  const DataLaw& law_ = law_registry().get(GetParam());
};

TEST_P(DataConformance, GivesFiniteTokensOfNearlyTheNormOfThePaper) {
  for (const double share : {0.0, 0.5, 1.0}) {
    const Matrix X = synthetic_source(specification(share), 1)->sample(kDataTokens, 400, 0);
    ASSERT_EQ(X.rows(), kDataTokens);
    ASSERT_EQ(X.cols(), 400);
    EXPECT_TRUE(X.allFinite());
    EXPECT_LT((X.rowwise().norm().array() / 20 - 1).abs().maxCoeff(), 0.2) << specification(share);
  }
}

TEST_P(DataConformance, GivesTheSameBitsForTheSameTrialAndAnyNumberOfThreads) {
  const int before = available_threads();
  std::vector<Matrix> found;
  for (const int threads : {1, 4}) {
    set_thread_count(threads);
    found.push_back(synthetic_source(specification(), 1)->sample(kDataTokens, kDataD, 2));
  }
  set_thread_count(before);
  EXPECT_EQ(found[0], found[1]);
  EXPECT_NE(found[0], synthetic_source(specification(), 1)->sample(kDataTokens, kDataD, 3)) << "another trial";
  EXPECT_NE(found[0], synthetic_source(specification(), 2)->sample(kDataTokens, kDataD, 2)) << "another seed";
}

TEST_P(DataConformance, HasASampleOfOneToken) {
  EXPECT_TRUE(synthetic_source(specification(), 1)->sample(1, kDataD, 0).allFinite());
}

TEST_P(DataConformance, HasAsManyOtherWordsAsAreAskedFor) {
  const auto source = synthetic_source(specification(), 1);
  const Matrix X = source->sample(kDataTokens, kDataD, 1);
  const ReplacementWords words = source->replacement_words({kDataTokens, kDataD, 1, 3}, 3 * kDataD, Stream(4));
  ASSERT_EQ(words.rows.rows(), 3 * kDataD);
  ASSERT_EQ(words.rows.cols(), kDataD);
  EXPECT_TRUE(words.rows.allFinite());
  EXPECT_EQ(words.drawn.size(), static_cast<size_t>(3 * kDataD));
  EXPECT_GT((words.rows.rowwise() - X.row(3)).rowwise().norm().minCoeff(), 0.01) << "none is the word itself";
}

TEST_P(DataConformance, CanBeLabelledEvenly) {
  const LabelledSamples drawn =
      synthetic_labelled_source(specification(), "halfspace", 1)->draw(kDataTokens, kDataD, 400, 0);
  EXPECT_TRUE(drawn.training.allFinite());
  EXPECT_NEAR(drawn.labels.mean(), 0, 0.2) << "four standard deviations of a fair coin";
  EXPECT_NE(drawn.training.row(0), drawn.training.row(1));
}

TEST_P(DataConformance, TakesItsParameterInItsRangeAlone) {
  EXPECT_FALSE(law_.summary.empty());
  EXPECT_NE(parse_law(specification()).law, nullptr);
  const std::string name = GetParam();
  if (!law_.parameter) {
    EXPECT_THAT([&] { parse_law(name + ":1"); }, ThrowsMessage<UsageError>(HasSubstr("has no parameter")));
    return;
  }
  EXPECT_EQ(parse_law(specification(0)).value, law_.parameter->least);
  for (const std::string& value : {std::string(), std::string("x"), std::string("nan"), std::string("0.3x"),
                                   std::to_string(law_.parameter->least - 1), std::to_string(law_.parameter->most + 1)})
    EXPECT_THROW(parse_law(name + ":" + value), UsageError) << value;
  EXPECT_THROW(parse_law(name), UsageError);
  if (law_.parameter->whole) {
    EXPECT_THROW(parse_law(name + ":1.5"), UsageError);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryLaw, DataConformance, testing::ValuesIn(law_registry().names()));

TEST(DataConformanceSuite, LooksAtThem) {
  EXPECT_THAT(law_registry().names(), testing::IsSupersetOf({"sphere", "spiked", "gaussian", "correlated"}));
}

}  // namespace
}  // namespace wordsway
