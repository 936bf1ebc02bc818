// Attention when several tokens move: the fast form against the definition where it is hard, and against that of one
// token. What every map must do with several tokens is in tests/conformance.
#include "wordsway/maps/attention/attention_moves.h"

#include <cmath>

#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/attention/attention_bound.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

// β and the map at which weights are shared out evenly, sharply, and by one score alone.
struct MoveCase {
  const char* map;
  double beta;
};

class AttentionMoves : public testing::TestWithParam<MoveCase> {
 protected:
  static constexpr Index kTokens = 12, kDimension = 16;

  double change_by_definition(std::span<const Index> tokens, const Vector& delta) const {
    return (map_->features_reference(test::moved(X_, tokens, delta)) - map_->features_reference(X_)).squaredNorm();
  }

  Matrix X_ = sphere_sample(Stream(71), kTokens, kDimension);
  std::unique_ptr<FeatureMap> map_ = test::draw_map(GetParam().map, kTokens, kDimension, 73, GetParam().beta);
};

TEST_P(AttentionMoves, AgreeWithTheReferenceWhereTheTokensHoldWholeRows) {
  const auto sample = map_->at(X_);
  for (const std::vector<Index>& tokens : {std::vector<Index>{0, 1}, {2, 7, 11}, {9, 4, 5, 6, 0, 3, 2, 1, 10, 8, 7}})
    for (const double norm : {0.1, 1.0, 4.0}) {
      Vector delta = gaussian_vector(Stream(83 + tokens.size()), static_cast<Index>(tokens.size()) * kDimension);
      delta *= norm / std::sqrt(static_cast<double>(kDimension));
      const double expected = change_by_definition(tokens, delta);
      EXPECT_NEAR((*sample->tokens(tokens)->change())(delta), expected, 1e-9 * expected + 1e-13)
          << tokens.size() << ' ' << norm;
    }
}

TEST_P(AttentionMoves, OfOneTokenAreThoseOfItsOwnForm) {
  const auto* attention = dynamic_cast<const AttentionMap*>(map_.get());
  ASSERT_NE(attention, nullptr);
  const auto state = std::make_shared<const AttentionState>(*attention, X_);
  const auto sample = map_->at(X_);
  const Matrix psi = gaussian_matrix(Stream(79), kTokens, kDimension);
  for (Index token = 0; token < kTokens; ++token) {
    const auto general = make_attention_moves(state, {token}), own = sample->token(token);
    const double by_rows = attention_change_bound_by_rows(AttentionToken(state, token), 3);
    EXPECT_NEAR(general->upper_bound(3)->change, by_rows, 1e-9 * by_rows);
    for (const double norm : {1e-6, 1.0, 4.0}) {
      Vector delta = gaussian_vector(Stream(83), kDimension), one, other;
      delta *= norm / delta.norm();
      const double expected = (*own->change())(delta, &one);
      // Features are rounded, whatever the move: of a short one that is a larger share.
      const double rounding = 4e-15 * sample->feature_norm() * std::sqrt(expected) + 1e-25;
      EXPECT_NEAR((*general->change())(delta, &other), expected, 1e-9 * expected + rounding) << token << ' ' << norm;
      EXPECT_LT((one - other).norm(), 1e-8 * one.norm() + 1e-14) << token << ' ' << norm;
      EXPECT_NEAR((*general->inner(psi))(delta), (*own->inner(psi))(delta), 1e-10 * psi.norm()) << token;
    }
  }
}

TEST_P(AttentionMoves, StayBelowTheirBound) {
  const Matrix X = sphere_sample(Stream(89), 6, 4);
  const auto map = test::draw_map(GetParam().map, 6, 4, 97, GetParam().beta);
  const auto sample = map->at(X);
  for (const std::vector<Index>& tokens : {std::vector<Index>{3, 4}, {0, 2, 5}, {0, 1, 2, 3, 4, 5}}) {
    const auto found =
        measure_together(*sample, tokens, {.radius = Radius::absolute(2), .starts = 400, .tolerance = 1e-7}, Stream(1));
    const double independent = test::best_change_by_differences(*map, X, tokens, 2, 12, 101) / sample->feature_norm();
    EXPECT_GE(*found.upper_bound, std::max(independent, found.sensitivity)) << tokens.size();
    EXPECT_GE(found.sensitivity, independent * (1 - 1e-2)) << tokens.size();  // many maxima, some narrow
  }
}

INSTANTIATE_TEST_SUITE_P(Betas, AttentionMoves,
                         testing::Values(MoveCase{"raf", 1}, MoveCase{"raf", 8}, MoveCase{"raf", 32},
                                         MoveCase{"raf-sigmoid", 8}, MoveCase{"raf-softplus", 16},
                                         MoveCase{"raf-elu", 32}, MoveCase{"raf-square", 1}, MoveCase{"raf-relu", 1}));

TEST(TinyMovesOfSeveralTokens, LoseNoDigits) {
  const Matrix X = spiked_sample(Stream(1), Stream(2), 20, 16, 0.3);
  const auto map = test::draw_map("raf", 20, 16, 3);
  const auto change = map->at(X)->tokens(std::array<Index, 3>{4, 5, 19})->change();
  const Vector direction = gaussian_vector(Stream(4), 3 * 16);
  const double at_small = std::sqrt((*change)(direction * 1e-6)) / 1e-6;
  const double at_tiny = std::sqrt((*change)(direction * 1e-8)) / 1e-8;
  EXPECT_NEAR(at_tiny / at_small, 1, 1e-5);
}

}  // namespace
}  // namespace wordsway
