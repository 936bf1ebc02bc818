// What every registered map must do. A new map is tested automatically.
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

constexpr Index kTokens = 7, kDimension = 5;

class MapConformance : public testing::TestWithParam<std::string> {
 protected:
  void TearDown() override { set_thread_count(2); }

  Matrix X_ = spiked_sample(Stream(11), Stream(12), kTokens, kDimension, 0.3);
  std::unique_ptr<FeatureMap> map_ = test::draw_map(GetParam(), kTokens, kDimension, 5);
  double radius_ = std::sqrt(static_cast<double>(kDimension));
};

Vector direction(std::uint64_t seed, double norm) {
  const Vector v = gaussian_vector(Stream(seed), kDimension);
  return v * (norm / v.norm());
}

TEST_P(MapConformance, FeaturesAgreeWithTheReference) {
  const Matrix expected = map_->features_reference(X_);
  EXPECT_LT((map_->at(X_)->features() - expected).norm(), 1e-12 * expected.norm());
}

TEST_P(MapConformance, SameSeedGivesTheSameBits) {
  const auto again = test::draw_map(GetParam(), kTokens, kDimension, 5);
  EXPECT_EQ(map_->at(X_)->features(), again->at(X_)->features());
  const auto other = test::draw_map(GetParam(), kTokens, kDimension, 6);
  EXPECT_NE(map_->at(X_)->features(), other->at(X_)->features());
}

TEST_P(MapConformance, ThreadsDoNotChangeABit) {
  const Matrix X = sphere_sample(Stream(3), 150, 9);
  const auto measure = [&](int threads) {
    set_thread_count(threads);
    const auto map = test::draw_map(GetParam(), 150, 9, 5);
    const auto sample = map->at(X);
    const auto found = measure_token(*sample, 4, {.radius = Radius::absolute(3)}, Stream(1));
    return std::pair(sample->features(), found);
  };
  const auto [features, found] = measure(1);
  for (const int threads : {2, 4}) {
    const auto [other_features, other] = measure(threads);
    EXPECT_EQ(features, other_features) << threads;
    EXPECT_EQ(found.sensitivity, other.sensitivity) << threads;
    EXPECT_EQ(found.delta, other.delta) << threads;
    EXPECT_EQ(found.evaluations, other.evaluations) << threads;
  }
}

TEST_P(MapConformance, ChangeAgreesWithTheReference) {
  const auto sample = map_->at(X_);
  for (const Index token : {Index{0}, Index{3}, kTokens - 1}) {
    const auto view = sample->token(token);
    const auto change = view->change();
    for (const double norm : {1e-3, 1.0, radius_, 20.0}) {
      const Vector delta = direction(17 + static_cast<std::uint64_t>(token), norm);
      const double expected = test::change_reference(*map_, X_, token, delta);
      EXPECT_NEAR((*change)(delta), expected, 1e-9 * expected + 1e-15) << "token " << token << ", norm " << norm;
    }
    EXPECT_NEAR((*change)(Vector::Zero(kDimension)), 0, 1e-24);
  }
}

TEST_P(MapConformance, InnerAgreesWithTheReference) {
  const auto sample = map_->at(X_);
  const Matrix psi = gaussian_matrix(Stream(23), sample->features().rows(), sample->features().cols());
  for (const Index token : {Index{0}, Index{3}, kTokens - 1}) {
    const auto view = sample->token(token);
    const auto inner = view->inner(psi);
    for (const double norm : {1e-3, 1.0, radius_, 20.0}) {
      const Vector delta = direction(29, norm);
      const double expected = test::inner_reference(*map_, X_, token, delta, psi);
      EXPECT_NEAR((*inner)(delta), expected, 1e-10 * psi.norm() * sample->feature_norm()) << norm;
    }
  }
}

void expect_gradient_matches_differences(const LiftedFunction& f, const Vector& at) {
  Vector gradient;
  const double value = f(at, &gradient);
  EXPECT_EQ(value, f(at));
  for (Index c = 0; c < at.size(); ++c) {
    const double step = 1e-6;
    Vector up = at, down = at;
    up[c] += step;
    down[c] -= step;
    EXPECT_NEAR(gradient[c], (f(up) - f(down)) / (2 * step), 1e-6 * (1 + gradient.norm())) << "coordinate " << c;
  }
}

TEST_P(MapConformance, GradientsMatchDifferences) {
  const auto sample = map_->at(X_);
  const Matrix psi = gaussian_matrix(Stream(31), sample->features().rows(), sample->features().cols());
  for (const Index token : {Index{0}, Index{4}}) {
    const auto view = sample->token(token);
    for (const double norm : {0.1, 1.0, radius_}) {
      expect_gradient_matches_differences(*view->change(), direction(37, norm));
      expect_gradient_matches_differences(*view->inner(psi), direction(41, norm));
    }
  }
}

// Puts NaN where freed samples and views of the tests were, so that reading them gives another value also without
// AddressSanitizer.
void overwrite_freed_memory() {
  std::vector<Vector> blocks;
  for (Index size = 1; size <= 2 * kTokens * kDimension * kTokens; ++size)
    for (int copy = 0; copy < 4; ++copy) blocks.push_back(Vector::Constant(size, std::nan("")));
}

TEST_P(MapConformance, AFunctionMayOutliveItsViewItsSampleAndItsMap) {
  const Vector delta = direction(61, 1);
  const Matrix features = map_->at(X_)->features();
  const Matrix psi = gaussian_matrix(Stream(67), features.rows(), features.cols());
  const auto fresh = [&] { return test::draw_map(GetParam(), kTokens, kDimension, 5); };

  const auto change = fresh()->at(X_)->token(0)->change();
  const auto inner = fresh()->at(X_)->token(0)->inner(psi);
  const auto outer = fresh()->at(X_)->token(0)->outer({psi, features}, [](auto values, auto gradient) {
    if (!gradient.empty()) gradient[0] = gradient[1] = 1;
    return values[0] + values[1];
  });
  const auto view = fresh()->at(X_)->token(0);
  overwrite_freed_memory();

  EXPECT_EQ((*change)(delta), (*map_->at(X_)->token(0)->change())(delta));
  EXPECT_EQ((*inner)(delta), (*map_->at(X_)->token(0)->inner(psi))(delta));
  Vector gradient;
  const double both = (*inner)(delta) + test::inner_reference(*map_, X_, 0, delta, features);
  EXPECT_NEAR((*outer)(delta, &gradient), both, 1e-9 * (1 + std::abs(both)));
  EXPECT_TRUE(gradient.allFinite());
  const auto kept = map_->at(X_)->token(0);
  EXPECT_EQ(view->starts(), kept->starts());
  EXPECT_EQ((*view->change())(delta), (*change)(delta));
  if (const auto bound = view->upper_bound(radius_)) {
    EXPECT_EQ(bound->change, kept->upper_bound(radius_)->change);
  }
}

// A bracket: nothing an independent optimiser finds lies above the bound, and it finds nothing above our value.
void expect_bracket(const FeatureMap& map, const Matrix& X, Index token, double radius) {
  const auto sample = map.at(X);
  const double found = test::best_change_by_differences(map, X, token, radius, 24, 43) / sample->feature_norm();
  const auto ours =
      measure_token(*sample, token, {.radius = Radius::absolute(radius), .starts = 32, .tolerance = 1e-9}, Stream(47));
  EXPECT_GE(ours.sensitivity, found * (1 - 1e-5)) << "token " << token;
  EXPECT_LE(ours.delta.norm(), radius * (1 + 1e-14));
  if (!ours.upper_bound) return;
  EXPECT_GE(*ours.upper_bound, found);
  EXPECT_GE(*ours.upper_bound, ours.sensitivity);
}

TEST_P(MapConformance, SeveralMovesTogetherAreThoseOneByOne) {
  const auto sample = map_->at(X_);
  const Matrix psi = gaussian_matrix(Stream(73), sample->features().rows(), sample->features().cols());
  const Matrix deltas = 3 * gaussian_matrix(Stream(79), 5, kDimension);
  const auto view = sample->token(2);
  const std::unique_ptr<LiftedFunction> functions[] = {view->change(), view->inner(psi)};
  for (const auto& f : functions) {
    const Vector together = f->values(deltas);
    ASSERT_EQ(together.size(), 5);
    for (Index k = 0; k < 5; ++k) {
      const double alone = (*f)(deltas.row(k).transpose());
      EXPECT_NEAR(together[k], alone, 1e-10 * (1 + std::abs(alone)));
    }
    EXPECT_EQ(f->values(Matrix(0, kDimension)).size(), 0);
    EXPECT_THROW(f->values(Matrix::Zero(2, kDimension + 1)), DataError);
  }
}

TEST_P(MapConformance, BracketsTheSupremumOnSpikedData) {
  expect_bracket(*map_, X_, 2, radius_);
}

TEST_P(MapConformance, BracketsTheSupremumOnIsotropicData) {
  expect_bracket(*map_, sphere_sample(Stream(53), kTokens, kDimension), 0, radius_);
}

TEST_P(MapConformance, BracketsTheSupremumAtUnnormalisedInputs) {
  Matrix X = gaussian_matrix(Stream(59), kTokens, kDimension);
  for (Index j = 0; j < kTokens; ++j) X.row(j) *= 0.2 * static_cast<double>(j + 1);
  expect_bracket(*map_, X, kTokens - 1, 0.5 * radius_);
  expect_bracket(*map_, X, 0, 2 * radius_);
}

TEST_P(MapConformance, TheReportedValueIsRecomputedFromItsDelta) {
  const auto sample = map_->at(X_);
  const auto found = measure_token(*sample, 1, {.radius = Radius::absolute(radius_)}, Stream(1));
  const double recomputed = std::sqrt(test::change_reference(*map_, X_, 1, found.delta));
  EXPECT_NEAR(found.sensitivity, recomputed / map_->features_reference(X_).norm(), 1e-9 * found.sensitivity);
}

TEST_P(MapConformance, TheMaximumOverTokensIsTheBestToken) {
  const auto sample = map_->at(X_);
  const auto all = measure_tokens(*sample, {.radius = Radius::absolute(radius_)}, Stream(1));
  ASSERT_EQ(all.sensitivities.size(), static_cast<size_t>(kTokens));
  EXPECT_EQ(all.most.sensitivity, *std::max_element(all.sensitivities.begin(), all.sensitivities.end()));
  EXPECT_EQ(all.sensitivities[static_cast<size_t>(all.most.token)], all.most.sensitivity);
  EXPECT_EQ(measure_token(*sample, 5, {.radius = Radius::absolute(radius_)}, Stream(1)).sensitivity,
            all.sensitivities[5]);
}

TEST_P(MapConformance, WorksForASingleTokenOfASingleCoordinate) {
  const auto map = test::draw_map(GetParam(), 1, 1, 8);
  const auto sample = map->at(Matrix::Ones(1, 1));
  if (sample->feature_norm() == 0) {
    EXPECT_THROW(measure_token(*sample, 0, {.radius = Radius::absolute(1)}, Stream(1)), DataError);
  } else {
    EXPECT_TRUE(std::isfinite(measure_token(*sample, 0, {.radius = Radius::absolute(1)}, Stream(1)).sensitivity));
  }
}

// Whatever is asked, what comes back is a finite value below its bound, or an error that says why there is none.
TEST_P(MapConformance, GivesFiniteValuesBelowTheirBoundOrNone) {
  int values = 0;
  for (const double beta : {0.0, 1e-3, 1.0, 50.0, 1e100})
    for (const double scale : {1e-100, 1.0, 1e40, 1e100})
      for (const double radius : {0.0, 1e-100, 1e-3, 1.0, 1e5, 1e100, 1e300}) {
        SCOPED_TRACE("beta " + std::to_string(beta) + ", scale " + std::to_string(scale) + ", radius " +
                     std::to_string(radius));
        const auto map = test::draw_map(GetParam(), kTokens, kDimension, 5, beta);
        try {
          const auto sample = map->at(scale / std::max(1.0, X_.cwiseAbs().maxCoeff()) * X_);
          const auto found = measure_token(*sample, 1, {.radius = Radius::absolute(radius), .starts = 3}, Stream(1));
          ++values;
          EXPECT_TRUE(std::isfinite(found.sensitivity));
          EXPECT_TRUE(std::isfinite(found.start_spread) || !found.converged);
          EXPECT_LE(found.delta.norm(), radius * (1 + 1e-14));
          if (found.upper_bound) {
            EXPECT_TRUE(std::isfinite(*found.upper_bound));
            EXPECT_GE(*found.upper_bound, found.sensitivity);
          }
        } catch (const DataError&) {
          EXPECT_FALSE(scale == 1 && radius <= 1e5 && beta <= 50);
        } catch (const UsageError&) {
          EXPECT_TRUE(radius >= 1e100 || (radius > 0 && radius < 1e-12 * scale * kTokens * kDimension));
        }
      }
  EXPECT_GE(values, 5 * 4);
}

TEST_P(MapConformance, RefusesBadSamples) {
  EXPECT_THROW(map_->at(Matrix(0, kDimension)), DataError);
  EXPECT_THROW(map_->at(Matrix::Ones(kTokens, kDimension + 1)), DataError);
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    Matrix X = X_;
    X(2, 1) = bad;
    EXPECT_THROW(map_->at(X), DataError);
  }
}

TEST_P(MapConformance, RefusesBadTokensAndFunctionals) {
  const auto sample = map_->at(X_);
  EXPECT_THROW(sample->token(-1), UsageError);
  EXPECT_THROW(sample->token(kTokens), UsageError);
  const auto view = sample->token(0);
  EXPECT_THROW(view->inner(Matrix::Zero(sample->features().rows() + 1, sample->features().cols())), DataError);
}

TEST_P(MapConformance, TakesItsOwnWeightsBackAndRefusesOthers) {
  MapOptions options;
  options.n = kTokens;
  options.d = kDimension;
  options.set("depth", 2);
  options.random = "dense";
  const MapEntry& entry = map_registry().get(GetParam());
  const Matrix weights = map_->weights();
  EXPECT_EQ(entry.with_weights(options, weights)->at(X_)->features(), map_->at(X_)->features());
  EXPECT_THROW(entry.with_weights(options, Matrix::Zero(weights.rows() + 1, weights.cols() + 2)), DataError);
  Matrix broken = weights;
  broken(0, 0) = std::nan("");
  EXPECT_THROW(entry.with_weights(options, broken), DataError);
}

TEST_P(MapConformance, ItsPageSaysWhatAUserNeeds) {
  const MapEntry& entry = map_registry().get(GetParam());
  EXPECT_FALSE(entry.summary.empty());
  for (const char* part : {"formula", "parameters", "bound", "cost"})
    EXPECT_NE(entry.page().find(part), std::string::npos) << part;
  MapOptions options;
  options.n = kTokens;
  options.d = kDimension;
  for (const Parameter& parameter : entry.parameters) {
    EXPECT_FALSE(entry.describe(options).missing(parameter.name())) << parameter.name();
    EXPECT_NE(entry.page().find("--" + parameter.name()), std::string::npos) << parameter.name();
  }
  EXPECT_EQ(entry.describe(options).text("random"), entry.random_ways.front());
  EXPECT_GT(entry.memory_bytes(options), 0);
}

// Tokens that move together. A map may do without, and then says so.
class MapConformanceTogether : public MapConformance {
 protected:
  void SetUp() override {
    try {
      map_->at(X_)->tokens(std::array<Index, 2>{0, 1});
    } catch (const UsageError&) {
      GTEST_SKIP() << GetParam() << " moves one token at a time";
    }
  }

  // Next to each other, spread, in any order, all.
  const std::vector<std::vector<Index>> sets_ = {{1, 2}, {0, 3, 6}, {5, 0}, {4, 1, 2}, {0, 1, 2, 3, 4, 5, 6}};
};

// Moves of M tokens, the first of this length, the others shorter.
Vector moves(std::uint64_t seed, size_t count, double norm) {
  Vector all(static_cast<Index>(count) * kDimension);
  for (size_t t = 0; t < count; ++t)
    all.segment(static_cast<Index>(t) * kDimension, kDimension) =
        direction(seed + 100 * t, norm / (1 + 0.5 * static_cast<double>(t)));
  return all;
}

TEST_P(MapConformanceTogether, ChangeAndInnerAgreeWithTheReference) {
  const auto sample = map_->at(X_);
  const Matrix before = map_->features_reference(X_);
  const Matrix psi = gaussian_matrix(Stream(23), before.rows(), before.cols());
  for (const auto& tokens : sets_) {
    const auto view = sample->tokens(tokens);
    const auto change = view->change(), inner = view->inner(psi);
    ASSERT_EQ(change->dimension(), static_cast<Index>(tokens.size()) * kDimension);
    ASSERT_EQ(change->blocks(), static_cast<Index>(tokens.size()));
    for (const double norm : {1e-3, 1.0, radius_, 20.0}) {
      const Vector delta = moves(17, tokens.size(), norm);
      const Matrix after = map_->features_reference(test::moved(X_, tokens, delta));
      const double expected = (after - before).squaredNorm();
      EXPECT_NEAR((*change)(delta), expected, 1e-9 * expected + 1e-15) << tokens.size() << ", norm " << norm;
      EXPECT_NEAR((*inner)(delta), after.cwiseProduct(psi).sum(), 1e-10 * psi.norm() * after.norm()) << norm;
    }
    EXPECT_NEAR((*change)(Vector::Zero(change->dimension())), 0, 1e-24);
    EXPECT_THROW((*change)(Vector::Zero(kDimension)), DataError);
  }
}

TEST_P(MapConformanceTogether, GradientsMatchDifferences) {
  const auto sample = map_->at(X_);
  const Matrix psi = gaussian_matrix(Stream(31), sample->features().rows(), sample->features().cols());
  for (const auto& tokens : sets_) {
    const auto view = sample->tokens(tokens);
    const auto outer = view->outer({psi, sample->features()}, [](auto values, auto gradient) {
      if (!gradient.empty()) gradient[0] = values[1], gradient[1] = values[0];
      return values[0] * values[1];
    });
    for (const double norm : {0.1, 1.0, radius_}) {
      const Vector at = moves(37, tokens.size(), norm);
      expect_gradient_matches_differences(*view->change(), at);
      expect_gradient_matches_differences(*view->inner(psi), at);
      expect_gradient_matches_differences(*outer, at);
    }
  }
}

// What an ascent over a product of balls relies on.
TEST_P(MapConformanceTogether, ABlockOfTheImageIsLinearInItsMoveAlone) {
  const auto sample = map_->at(X_);
  const Matrix psi = gaussian_matrix(Stream(31), sample->features().rows(), sample->features().cols());
  const auto view = sample->tokens(sets_[1]);
  const std::unique_ptr<LiftedFunction> functions[] = {view->change(), view->inner(psi),
                                                       view->outer({psi, psi}, [](auto values, auto gradient) {
                                                         if (!gradient.empty()) gradient[0] = gradient[1] = 1;
                                                         return values[0] + values[1];
                                                       })};
  for (const auto& f : functions) {
    const Vector all = moves(41, 3, 2);
    Vector image(f->lifted_size());
    f->lift(all, image);
    const Index q = f->lifted_size() / 3;
    for (Index t = 0; t < 3; ++t) {
      Vector one = Vector::Zero(all.size()), part(f->lifted_size());
      one.segment(t * kDimension, kDimension) = 3 * all.segment(t * kDimension, kDimension);
      f->lift(one, part);
      EXPECT_LT((part.segment(t * q, q) - 3 * image.segment(t * q, q)).norm(), 1e-12 * (1 + image.norm()));
      part.segment(t * q, q).setZero();
      EXPECT_EQ(part.norm(), 0);
    }
  }
}

TEST_P(MapConformanceTogether, BracketsTheSupremum) {
  for (const auto& tokens : {sets_[0], sets_[1], sets_[3]})
    for (const double radius : {0.5 * radius_, radius_}) {
      const auto sample = map_->at(X_);
      const double found = test::best_change_by_differences(*map_, X_, tokens, radius, 24, 43) / sample->feature_norm();
      const auto ours = measure_together(
          *sample, tokens, {.radius = Radius::absolute(radius), .starts = 400, .tolerance = 1e-7}, Stream(47));
      // Weights with kinks or poles have many maxima where three tokens move, some of them narrow.
      EXPECT_GE(ours.sensitivity, found * (1 - 1e-2)) << tokens.size();
      EXPECT_EQ(ours.moved, static_cast<Index>(tokens.size()));
      EXPECT_EQ(ours.token, tokens.front());
      for (Index t = 0; t < ours.moved; ++t)
        EXPECT_LE(ours.delta.segment(t * kDimension, kDimension).norm(), radius * (1 + 1e-14));
      const double recomputed =
          (map_->features_reference(test::moved(X_, tokens, ours.delta)) - map_->features_reference(X_)).norm();
      EXPECT_NEAR(ours.sensitivity, recomputed / sample->feature_norm(), 1e-9 * ours.sensitivity);
      if (!ours.upper_bound) continue;
      EXPECT_GE(*ours.upper_bound, found);
      EXPECT_GE(*ours.upper_bound, ours.sensitivity);
    }
}

TEST_P(MapConformanceTogether, OneOfThemIsThatToken) {
  const auto sample = map_->at(X_);
  const SensitivityOptions options{.radius = Radius::absolute(radius_)};
  const auto alone = measure_token(*sample, 3, options, Stream(1));
  const auto together = measure_together(*sample, std::array<Index, 1>{3}, options, Stream(1));
  EXPECT_EQ(alone.sensitivity, together.sensitivity);
  EXPECT_EQ(alone.delta, together.delta);
  EXPECT_EQ(alone.upper_bound, together.upper_bound);
}

TEST_P(MapConformanceTogether, ThreadsDoNotChangeABit) {
  const Matrix X = sphere_sample(Stream(3), 40, 9);
  const auto measure = [&](int threads) {
    set_thread_count(threads);
    const auto map = test::draw_map(GetParam(), 40, 9, 5);
    return measure_together(*map->at(X), std::array<Index, 3>{4, 5, 30}, {.radius = Radius::absolute(3)}, Stream(1));
  };
  const auto found = measure(1);
  for (const int threads : {2, 4}) {
    const auto other = measure(threads);
    EXPECT_EQ(found.sensitivity, other.sensitivity) << threads;
    EXPECT_EQ(found.delta, other.delta) << threads;
    EXPECT_EQ(found.evaluations, other.evaluations) << threads;
  }
}

TEST_P(MapConformanceTogether, AFunctionMayOutliveItsViewItsSampleAndItsMap) {
  const Vector delta = moves(61, 2, 1);
  const auto fresh = [&] { return test::draw_map(GetParam(), kTokens, kDimension, 5); };
  const auto change = fresh()->at(X_)->tokens(sets_[0])->change();
  const auto view = fresh()->at(X_)->tokens(sets_[0]);
  overwrite_freed_memory();
  const auto kept = map_->at(X_)->tokens(sets_[0]);
  EXPECT_EQ((*change)(delta), (*kept->change())(delta));
  EXPECT_EQ((*view->change())(delta), (*change)(delta));
  EXPECT_EQ(view->starts(), kept->starts());
  if (const auto bound = view->upper_bound(radius_)) {
    EXPECT_EQ(bound->change, kept->upper_bound(radius_)->change);
  }
}

TEST_P(MapConformanceTogether, GivesFiniteValuesBelowTheirBoundOrNone) {
  int values = 0;
  for (const double beta : {0.0, 1.0, 50.0, 1e100})
    for (const double scale : {1e-100, 1.0, 1e40, 1e100})
      for (const double radius : {0.0, 1e-3, 1.0, 1e5, 1e100}) {
        SCOPED_TRACE("beta " + std::to_string(beta) + ", scale " + std::to_string(scale) + ", radius " +
                     std::to_string(radius));
        const auto map = test::draw_map(GetParam(), kTokens, kDimension, 5, beta);
        try {
          const auto sample = map->at(scale / std::max(1.0, X_.cwiseAbs().maxCoeff()) * X_);
          const auto found =
              measure_together(*sample, sets_[1], {.radius = Radius::absolute(radius), .starts = 3}, Stream(1));
          ++values;
          EXPECT_TRUE(std::isfinite(found.sensitivity));
          if (found.upper_bound) {
            EXPECT_TRUE(std::isfinite(*found.upper_bound));
            EXPECT_GE(*found.upper_bound, found.sensitivity);
          }
        } catch (const DataError&) {
          EXPECT_FALSE(scale == 1 && radius <= 1e5 && beta <= 50);
        } catch (const UsageError&) {
          EXPECT_TRUE(radius >= 1e100 || (radius > 0 && radius < 1e-12 * scale * kTokens * kDimension));
        }
      }
  EXPECT_GE(values, 3 * 4);
}

TEST_P(MapConformanceTogether, RefusesBadSets) {
  const auto sample = map_->at(X_);
  for (const std::vector<Index>& bad : {std::vector<Index>{}, {0, kTokens}, {-1, 2}, {3, 1, 3}})
    EXPECT_THROW(sample->tokens(bad), UsageError);
  const auto view = sample->tokens(sets_[0]);
  EXPECT_THROW(view->inner(Matrix::Zero(sample->features().rows() + 1, sample->features().cols())), DataError);
}

INSTANTIATE_TEST_SUITE_P(Maps, MapConformanceTogether, testing::ValuesIn(map_registry().names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

INSTANTIATE_TEST_SUITE_P(Maps, MapConformance, testing::ValuesIn(map_registry().names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace wordsway
