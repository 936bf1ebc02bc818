// Several tokens that move together, on the CUDA device against the processor.
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "cuda/map_cases.h"
#include "cuda/on_the_device.h"
#include "support/samples.h"
#include "wordsway/cuda/cuda_maps.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/run/run_study.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/study/measure_study.h"

namespace wordsway::test {
namespace {

std::vector<Index> all_tokens(Index n) {
  std::vector<Index> all(static_cast<size_t>(n));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

// Two neighbours, two in another order, three that are spread, all.
std::vector<std::vector<Index>> sets_of(Index n) {
  return {{0, 1}, {n - 1, 0}, tokens_from(0, 3, n, true), all_tokens(n)};
}

// Moves of M tokens: the first almost nothing, then longer ones, up to the radius; tokens of a move differ in length.
Matrix moves_of(size_t tokens, Index d, double radius) {
  const auto M = static_cast<Index>(tokens);
  Matrix deltas = gaussian_matrix(Stream(7 + tokens), 5, M * d, 1);
  for (Index k = 0; k < deltas.rows(); ++k)
    for (Index t = 0; t < M; ++t) {
      auto move = deltas.row(k).segment(t * d, d);
      move *= radius / move.norm() * (k == 0 ? 1e-6 : static_cast<double>(k) / 4) / (1 + 0.1 * static_cast<double>(t));
    }
  return deltas;
}

// Values and gradients of moves, alone and many at once; inner products; bounds.
void expect_same(const MappedSample& here, const MappedSample& there, std::span<const Index> tokens, double radius) {
  const auto view_here = here.tokens(tokens), view_there = there.tokens(tokens);
  const auto f_here = view_here->change(), f_there = view_there->change();
  ASSERT_EQ(f_there->dimension(), f_here->dimension());
  ASSERT_EQ(f_there->blocks(), f_here->blocks());
  const Matrix deltas = moves_of(tokens.size(), here.X().cols(), radius);
  Matrix gradients_here, gradients_there;
  const Vector values_here = f_here->values(deltas, &gradients_here);
  const Vector values_there = f_there->values(deltas, &gradients_there);
  EXPECT_EQ(values_there, f_there->values(deltas));
  for (Index k = 0; k < deltas.rows(); ++k) {
    SCOPED_TRACE(k);
    EXPECT_NEAR(values_there[k], values_here[k], (k == 0 ? 1e-6 : 1e-10) * values_here[k]);
    EXPECT_LT(relative_error(gradients_there.row(k), gradients_here.row(k)), k == 0 ? 1e-6 : 1e-9);
    Vector alone;
    EXPECT_NEAR((*f_there)(deltas.row(k).transpose(), &alone), values_there[k],
                (k == 0 ? 1e-6 : 1e-9) * values_there[k]);
    EXPECT_LT(relative_error(alone.transpose(), gradients_there.row(k)), k == 0 ? 1e-6 : 1e-9);
  }
  const Matrix psi = gaussian_matrix(Stream(3), here.features().rows(), here.features().cols(), 1);
  const Vector delta = deltas.row(2).transpose();
  Vector slope_here, slope_there;
  const double inner_here = (*view_here->inner(psi))(delta, &slope_here);
  EXPECT_NEAR((*view_there->inner(psi))(delta, &slope_there), inner_here, 1e-9 * (1 + std::abs(inner_here)));
  EXPECT_LT(relative_error(slope_there, slope_here), 1e-9);
  const double bound = view_here->upper_bound(radius)->change;
  EXPECT_NEAR(view_there->upper_bound(radius)->change, bound, 1e-8 * bound);
  ASSERT_EQ(view_there->starts().size(), view_here->starts().size());
  for (size_t s = 0; s < view_here->starts().size(); ++s)
    EXPECT_LT(relative_error(view_there->starts()[s], view_here->starts()[s]), 1e-6);
}

class TokensOfAttentionOnTheDevice : public OnTheDevice, public testing::WithParamInterface<AttentionCase> {};

TEST_P(TokensOfAttentionOnTheDevice, HaveTheNumbersOfTheProcessor) {
  const auto [name, beta, n, d] = GetParam();
  const Matrix X = gaussian_matrix(Stream(5).derive("X"), n, d, 1);
  const auto here = draw_map(name, n, d, 9, beta), there = map_on_cuda(draw_map(name, n, d, 9, beta));
  const auto at_here = here->at(X), at_there = there->at(X);
  for (const auto& tokens : sets_of(n)) {
    SCOPED_TRACE(tokens.size());
    expect_same(*at_here, *at_there, tokens, std::sqrt(static_cast<double>(d)));
  }
}

// With β = 16 rows look at one token alone, and are computed afresh without it; with ReLU and few tokens there are rows
// without a positive score, or with one on the moved tokens only.
INSTANTIATE_TEST_SUITE_P(Shapes, TokensOfAttentionOnTheDevice,
                         testing::Values(AttentionCase{"raf", 1, 12, 33}, AttentionCase{"raf", 1, 300, 64},
                                         AttentionCase{"raf", 0, 9, 5}, AttentionCase{"raf", 16, 40, 24},
                                         AttentionCase{"raf", 1, 5, 1}, AttentionCase{"raf", 1, 70, 768},
                                         AttentionCase{"raf", 1, 6, 2048}, AttentionCase{"raf-relu", 1, 50, 40},
                                         AttentionCase{"raf-elu", 1, 50, 40}, AttentionCase{"raf-sigmoid", 2, 50, 40},
                                         AttentionCase{"raf-softplus", 1, 50, 90},
                                         AttentionCase{"raf-square", 1, 70, 40}, AttentionCase{"raf-relu", 1, 4, 2},
                                         AttentionCase{"raf-square", 1, 4, 1}));

class TokensOfFeaturesOnTheDevice : public OnTheDevice, public testing::WithParamInterface<FeaturesCase> {};

// Deferred weights of the processor are made complete once the sample is known, as they are on the device.
TEST_P(TokensOfFeaturesOnTheDevice, HaveTheNumbersOfTheProcessor) {
  const FeaturesCase& at = GetParam();
  const Matrix X = gaussian_matrix(Stream(5).derive("X"), at.n, at.d, 1);
  const auto here = draw_features(at), there = map_on_cuda(draw_features(at));
  const auto at_here = here->at(X), at_there = there->at(X);
  if (at.random == "deferred") here->weights();
  for (const auto& tokens : sets_of(at.n)) {
    SCOPED_TRACE(tokens.size());
    expect_same(*at_here, *at_there, tokens, std::sqrt(static_cast<double>(at.d)));
  }
}

// Weights of up to 2,048 columns are read in tiles, wider ones by cuBLAS: sets of three tokens of 800 coordinates are
// the first of these.
INSTANTIATE_TEST_SUITE_P(Shapes, TokensOfFeaturesOnTheDevice,
                         testing::Values(FeaturesCase{"rf", "relu", "dense", 500, 1, 6, 33},
                                         FeaturesCase{"rf", "gelu", "streamed", 301, 1, 5, 7},
                                         FeaturesCase{"rf", "leaky-relu", "streamed", 200, 1, 4, 800},
                                         FeaturesCase{"rf", "silu", "deferred", 900, 1, 8, 300},
                                         FeaturesCase{"rf", "sine", "deferred", 64, 1, 4, 1},
                                         FeaturesCase{"rf", "step3", "dense", 90, 1, 4, 5},
                                         FeaturesCase{"rf", "step5", "dense", 90, 1, 4, 5},
                                         FeaturesCase{"rf", "tanh", "dense", 90, 1, 4, 768},
                                         FeaturesCase{"rf", "identity", "dense", 90, 1, 4, 5},
                                         FeaturesCase{"drf", "relu", "dense", 120, 3, 6, 20},
                                         FeaturesCase{"drf", "tanh", "streamed", 121, 2, 6, 500},
                                         FeaturesCase{"drf", "gelu", "deferred", 150, 3, 6, 400}));

TEST_F(OnTheDevice, OneOfTheTokensIsThatToken) {
  const Matrix X = gaussian_matrix(Stream(5).derive("X"), 9, 12, 1);
  for (const char* name : {"raf", "rf"}) {
    const auto map = map_on_cuda(draw_map(name, 9, 12, 9));
    const auto sample = map->at(X);
    const Vector delta = gaussian_vector(Stream(6), 12);
    EXPECT_EQ((*sample->tokens(std::array<Index, 1>{3})->change())(delta), (*sample->token(3)->change())(delta));
    EXPECT_THROW(sample->tokens(std::vector<Index>{}), UsageError);
    EXPECT_THROW(sample->tokens(std::array<Index, 2>{3, 3}), UsageError);
    EXPECT_THROW(sample->tokens(std::array<Index, 2>{3, 9}), UsageError);
  }
}

// Smooth maps, whose ascents end in the same place whatever the last digit.
class SearchOfTokensOnTheDevice : public OnTheDevice {
 protected:
  static constexpr Index kTokens = 12, kDimension = 16;

  static std::unique_ptr<FeatureMap> draw(const std::string& name) {
    if (name == "rf") return draw_features({"rf", "gelu", "dense", 200, 1, kTokens, kDimension});
    return draw_map(name, kTokens, kDimension, 9);
  }

  // One search whose ascents are batched, as in a study.
  static TokenSensitivity measure(const FeatureMap& map, std::span<const Index> moved) {
    const auto sample = map.at(gaussian_matrix(Stream(6).derive("X"), kTokens, kDimension, 1));
    TokenSensitivity found;
    for_each_search(*sample, 1,
                    [&](Index) { found = measure_together(*sample, moved, {.tolerance = 1e-10}, Stream(2)); });
    return found;
  }

  const std::vector<std::string> maps_ = {"raf", "raf-elu", "raf-softplus", "rf"};
  const std::vector<std::vector<Index>> sets_ = {{0, 1}, tokens_from(0, 3, kTokens, true), all_tokens(kTokens)};
};

TEST_F(SearchOfTokensOnTheDevice, FindsWhatTheProcessorFinds) {
  for (const std::string& name : maps_)
    for (const auto& moved : sets_) {
      SCOPED_TRACE(name);
      SCOPED_TRACE(moved.size());
      const auto here = measure(*draw(name), moved), there = measure(*map_on_cuda(draw(name)), moved);
      EXPECT_NEAR(there.sensitivity, here.sensitivity, 1e-6 * here.sensitivity);
      EXPECT_NEAR(*there.upper_bound, *here.upper_bound, 1e-8 * *here.upper_bound);
      EXPECT_EQ(there.moved, here.moved);
      EXPECT_EQ(there.starts, here.starts);
    }
}

TEST_F(SearchOfTokensOnTheDevice, ReportsTheChangeOfItsMovesToNineDigits) {
  const Matrix X = gaussian_matrix(Stream(6).derive("X"), kTokens, kDimension, 1);
  for (const std::string& name : maps_) {
    const auto map = draw(name);
    const auto there = measure(*map_on_cuda(draw(name)), sets_[1]);
    const Matrix before = map->features_reference(X), after = map->features_reference(moved(X, sets_[1], there.delta));
    const double expected = (after - before).norm() / before.norm();
    EXPECT_NEAR(there.sensitivity, expected, 1e-9 * expected) << name;
  }
}

TEST_F(SearchOfTokensOnTheDevice, HasTheSameBitsTwice) {
  for (const std::string& name : maps_)
    for (const auto& moved : sets_) {
      SCOPED_TRACE(name);
      const auto first = measure(*map_on_cuda(draw(name)), moved), second = measure(*map_on_cuda(draw(name)), moved);
      EXPECT_EQ(first.sensitivity, second.sensitivity);
      EXPECT_EQ(first.delta, second.delta);
      EXPECT_EQ(first.evaluations, second.evaluations);
    }
}

// As `measure --map raf,rf --activation gelu --token 2 --tokens 1,3 --spread --random dense --device cuda` does it.
TEST_F(OnTheDevice, RowsOfSeveralTokensAreThoseOfTheProcessor) {
  const auto rows_on = [](DeviceKind kind) {
    MeasureConfig config;
    config.maps = {"raf", "rf"};
    config.n = {12};
    config.d = {16};
    config.trials = 2;
    config.token = 2;
    config.moved_tokens = {1, 3};
    config.spread = true;
    config.parameters = {{"activation", {std::string("gelu")}}};
    config.random = "dense";
    config.search.tolerance = 1e-10;
    config.data = synthetic_source("sphere", 1);
    config.device.kind = kind;
    return run_study(MeasureStudy(config)).rows;
  };
  const auto there = rows_on(DeviceKind::kCuda), here = rows_on(DeviceKind::kCpu);
  ASSERT_EQ(there.size(), here.size());
  for (size_t k = 0; k < here.size(); ++k) {
    for (const char* name : {"upper_bound", "feature_norm", "moved_tokens", "starts"})
      EXPECT_NEAR(there[k].number(name), here[k].number(name), 1e-8 * here[k].number(name)) << name;
    EXPECT_NEAR(there[k].number("sensitivity"), here[k].number("sensitivity"), 1e-6 * here[k].number("sensitivity"));
    EXPECT_EQ(there[k].text("device"), "cuda");
  }
}

}  // namespace
}  // namespace wordsway::test
