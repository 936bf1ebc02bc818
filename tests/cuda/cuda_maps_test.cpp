// Random maps on the CUDA device against those on the processor.
#include "wordsway/cuda/cuda_maps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cuda/map_cases.h"
#include "cuda/on_the_device.h"
#include "support/samples.h"
#include "support/temporary_folder.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/run/run_study.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/study/measure_study.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;

TEST(CudaMaps, SaysInOneSentenceWhyItIsNotThere) {
  if (why_not().empty()) GTEST_SKIP() << "the device is there";
  EXPECT_THROW(map_on_cuda(draw_map("raf", 4, 3, 1)), UsageError);
}

// Features, and values and gradients of moves of some tokens, alone and many at once.
void expect_same(const FeatureMap& here, const FeatureMap& there, const Matrix& X, double radius) {
  const auto at_here = here.at(X), at_there = there.at(X);
  EXPECT_LT(relative_error(at_there->features(), at_here->features()), 1e-12);
  EXPECT_NEAR(at_there->noise_norm(), at_here->noise_norm(), 1e-9 * at_here->noise_norm());
  for (const Index token : {Index{0}, X.rows() / 2, X.rows() - 1}) {
    SCOPED_TRACE(token);
    const auto view_here = at_here->token(token), view_there = at_there->token(token);
    const auto f_here = view_here->change(), f_there = view_there->change();
    Matrix deltas = gaussian_matrix(Stream(static_cast<std::uint64_t>(7 + token)), 5, X.cols(), 1);
    for (Index k = 0; k < deltas.rows(); ++k)
      deltas.row(k) *= radius / deltas.row(k).norm() * (k == 0 ? 1e-6 : static_cast<double>(k) / 4);
    Matrix gradients_here, gradients_there;
    const Vector values_here = f_here->values(deltas, &gradients_here);
    const Vector values_there = f_there->values(deltas, &gradients_there);
    EXPECT_EQ(values_there, f_there->values(deltas));
    for (Index k = 0; k < deltas.rows(); ++k) {
      SCOPED_TRACE(k);
      EXPECT_NEAR(values_there[k], values_here[k], (k == 0 ? 1e-6 : 1e-10) * values_here[k]);
      EXPECT_LT(relative_error(gradients_there.row(k), gradients_here.row(k)), k == 0 ? 1e-6 : 1e-9);
      Vector alone;
      EXPECT_NEAR((*f_there)(deltas.row(k).transpose(), &alone), values_there[k], 1e-9 * values_there[k]);
      EXPECT_LT(relative_error(alone.transpose(), gradients_there.row(k)), k == 0 ? 1e-6 : 1e-9);
    }
    const Matrix psi = gaussian_matrix(Stream(3), at_here->features().rows(), at_here->features().cols(), 1);
    const Vector delta = deltas.row(2).transpose();
    Vector slope_here, slope_there;
    const double inner_here = (*view_here->inner(psi))(delta, &slope_here);
    EXPECT_NEAR((*view_there->inner(psi))(delta, &slope_there), inner_here, 1e-9 * (1 + std::abs(inner_here)));
    EXPECT_LT(relative_error(slope_there, slope_here), 1e-9);
    ASSERT_EQ(view_there->upper_bound(radius).has_value(), view_here->upper_bound(radius).has_value());
    if (view_here->upper_bound(radius)) {
      const double bound = view_here->upper_bound(radius)->change;
      EXPECT_NEAR(view_there->upper_bound(radius)->change, bound, 1e-8 * bound);
    }
  }
}

class AttentionOnTheDevice : public OnTheDevice, public testing::WithParamInterface<AttentionCase> {};

TEST_P(AttentionOnTheDevice, HasTheNumbersOfTheProcessor) {
  const auto [name, beta, n, d] = GetParam();
  const Matrix X = gaussian_matrix(Stream(5).derive("X"), n, d, 1);
  expect_same(*draw_map(name, n, d, 9, beta), *map_on_cuda(draw_map(name, n, d, 9, beta)), X,
              std::sqrt(static_cast<double>(d)));
}

// With β = 16 rows look at one token alone, and are computed afresh without it.
INSTANTIATE_TEST_SUITE_P(Shapes, AttentionOnTheDevice,
                         testing::Values(AttentionCase{"raf", 1, 12, 33}, AttentionCase{"raf", 1, 300, 64},
                                         AttentionCase{"raf", 0, 9, 5}, AttentionCase{"raf", 16, 40, 24},
                                         AttentionCase{"raf", 2, 1, 7}, AttentionCase{"raf", 1, 5, 1},
                                         AttentionCase{"raf", 1, 130, 768}, AttentionCase{"raf", 1, 6, 2000},
                                         AttentionCase{"raf", 1, 40, 1000}, AttentionCase{"raf", 1, 33, 1500},
                                         AttentionCase{"raf", 1, 9, 2047}, AttentionCase{"raf", 1, 35, 901},
                                         AttentionCase{"raf-relu", 1, 50, 40}, AttentionCase{"raf-elu", 1, 50, 40},
                                         AttentionCase{"raf-sigmoid", 2, 50, 40},
                                         AttentionCase{"raf-softplus", 1, 50, 300},
                                         AttentionCase{"raf-square", 1, 70, 40}, AttentionCase{"raf-relu", 1, 3, 2}));

class FeaturesOnTheDevice : public OnTheDevice, public testing::WithParamInterface<FeaturesCase> {};

// Deferred weights of the processor are made complete once the sample is known, as they are on the device.
TEST_P(FeaturesOnTheDevice, HaveTheNumbersOfTheProcessor) {
  const FeaturesCase& at = GetParam();
  const Matrix X = gaussian_matrix(Stream(5).derive("X"), at.n, at.d, 1);
  const auto here = draw_features(at), there = map_on_cuda(draw_features(at));
  if (at.random == "deferred") {
    here->at(X);
    here->weights();
  }
  expect_same(*here, *there, X, std::sqrt(static_cast<double>(at.d)));
}

INSTANTIATE_TEST_SUITE_P(Shapes, FeaturesOnTheDevice,
                         testing::Values(FeaturesCase{"rf", "relu", "dense", 500, 1, 6, 33},
                                         FeaturesCase{"rf", "gelu", "streamed", 301, 1, 5, 7},
                                         FeaturesCase{"rf", "leaky-relu", "streamed", 200, 1, 3, 800},
                                         FeaturesCase{"rf", "silu", "deferred", 1000, 1, 8, 40},
                                         FeaturesCase{"rf", "sine", "deferred", 64, 1, 4, 5},
                                         FeaturesCase{"rf", "step3", "dense", 90, 1, 4, 5},
                                         FeaturesCase{"rf", "step5", "dense", 90, 1, 4, 5},
                                         FeaturesCase{"rf", "tanh", "dense", 90, 1, 4, 5},
                                         FeaturesCase{"rf", "identity", "dense", 90, 1, 4, 5},
                                         FeaturesCase{"drf", "relu", "dense", 120, 3, 6, 20},
                                         FeaturesCase{"drf", "tanh", "streamed", 121, 2, 6, 20},
                                         FeaturesCase{"drf", "gelu", "deferred", 150, 3, 6, 20}));

class SearchOnTheDevice : public OnTheDevice {
 protected:
  static SampleSensitivity measure(const FeatureMap& map, const Matrix& X) {
    return measure_tokens(*map.at(X), {}, Stream(2));
  }
};

TEST_F(SearchOnTheDevice, FindsWhatTheProcessorFinds) {
  for (const char* name : {"raf", "raf-relu", "rf"}) {
    SCOPED_TRACE(name);
    const Matrix X = gaussian_matrix(Stream(6).derive("X"), 24, 16, 1);
    const auto here = measure(*draw_map(name, 24, 16, 9), X);
    const auto there = measure(*map_on_cuda(draw_map(name, 24, 16, 9)), X);
    ASSERT_EQ(there.sensitivities.size(), here.sensitivities.size());
    for (size_t k = 0; k < here.sensitivities.size(); ++k)
      EXPECT_NEAR(there.sensitivities[k], here.sensitivities[k], 1e-4 * here.sensitivities[k]) << "token " << k;
    EXPECT_EQ(there.most.token, here.most.token);
  }
}

TEST_F(SearchOnTheDevice, ReportsTheChangeOfItsMoveToNineDigits) {
  const Matrix X = gaussian_matrix(Stream(6).derive("X"), 24, 16, 1);
  const auto map = draw_map("raf", 24, 16, 9);
  const auto there = measure(*map_on_cuda(draw_map("raf", 24, 16, 9)), X);
  const double expected =
      std::sqrt(change_reference(*map, X, there.most.token, there.most.delta)) / map->features_reference(X).norm();
  EXPECT_NEAR(there.most.sensitivity, expected, 1e-9 * expected);
}

TEST_F(SearchOnTheDevice, HasTheSameBitsTwice) {
  for (const char* name : {"raf", "rf"}) {
    SCOPED_TRACE(name);
    const Matrix X = gaussian_matrix(Stream(6).derive("X"), 40, 20, 1);
    const auto first = measure(*map_on_cuda(draw_map(name, 40, 20, 9)), X);
    const auto second = measure(*map_on_cuda(draw_map(name, 40, 20, 9)), X);
    EXPECT_EQ(first.sensitivities, second.sensitivities);
    EXPECT_EQ(first.most.delta, second.most.delta);
  }
}

// As `measure --map raf --typical 12 --token all --device cuda --out run.jsonl` does it.
class StudyOnTheDevice : public OnTheDevice {
 protected:
  static MeasureConfig config_on(DeviceKind kind) {
    MeasureConfig config;
    config.maps = {"raf", "raf-relu"};
    config.n = {12};
    config.d = {16};
    config.trials = 2;
    config.token = std::nullopt;
    config.typical = 12;
    config.data = synthetic_source("sphere", 1);
    config.device.kind = kind;
    return config;
  }
};

TEST_F(StudyOnTheDevice, RowsAreThoseOfTheProcessorAndSayWhereTheyComeFrom) {
  const auto there = run_study(MeasureStudy(config_on(DeviceKind::kCuda))).rows;
  const auto here = run_study(MeasureStudy(config_on(DeviceKind::kCpu))).rows;
  ASSERT_EQ(there.size(), here.size());
  for (size_t k = 0; k < here.size(); ++k) {
    for (const char* name : {"typical", "worst_word_change", "left_out", "upper_bound", "feature_norm"})
      EXPECT_NEAR(there[k].number(name), here[k].number(name), 1e-8 * here[k].number(name)) << name;
    EXPECT_NEAR(there[k].number("sensitivity"), here[k].number("sensitivity"), 0.01 * here[k].number("sensitivity"));
    EXPECT_EQ(there[k].text("device"), "cuda");
    EXPECT_EQ(here[k].find("device"), nullptr);
  }
}

TEST_F(StudyOnTheDevice, AJournalGoesOnThereAndNotElsewhere) {
  const TemporaryFolder folder;
  RunOptions options;
  options.journal = folder.path("run.jsonl");
  const auto first = run_study(MeasureStudy(config_on(DeviceKind::kCuda)), options);
  const auto second = run_study(MeasureStudy(config_on(DeviceKind::kCuda)), options);
  EXPECT_EQ(second.resumed, MeasureStudy(config_on(DeviceKind::kCuda)).size());
  EXPECT_EQ(second.rows, first.rows);
  EXPECT_THROW(run_study(MeasureStudy(config_on(DeviceKind::kCpu)), options), UsageError);
}

TEST_F(OnTheDevice, TooManyCoordinatesAreRefused) {
  try {
    map_on_cuda(draw_map("raf", 2, 2049, 1));
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("2048"));
  }
}

}  // namespace
}  // namespace wordsway::test
