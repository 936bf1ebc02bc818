// A sensitivity is a number that means something, or an error that says why there is none.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

using testing::HasSubstr;

// change(Δ) = factor·‖Δ‖² for a token's own factor, features of a chosen size.
class MadeUpSample final : public MappedSample {
 public:
  MadeUpSample(std::vector<double> factors, double size, double noise = 0, double bound = HUGE_VAL)
      : factors_(std::move(factors)),
        X_(Matrix::Ones(static_cast<Index>(factors_.size()), 2)),
        features_(Matrix::Constant(1, 1, size)),
        noise_(noise),
        bound_(bound) {}

  const Matrix& X() const override { return X_; }
  const Matrix& features() const override { return features_; }
  double noise_norm() const override { return noise_; }
  std::unique_ptr<TokenView> token(Index i) const override {
    return std::make_unique<View>(factors_[static_cast<size_t>(i)], bound_);
  }

 private:
  struct Change final : LiftedFunction {
    explicit Change(double factor) : factor_(factor) {}
    Index dimension() const override { return 2; }
    Index lifted_size() const override { return 2; }
    void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
    void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }
    double evaluate(ConstVectorRef x, Vector* gradient) const override {
      if (gradient != nullptr) *gradient = 2 * factor_ * x;
      return factor_ * x.squaredNorm();
    }
    double factor_;
  };
  struct View final : TokenView {
    View(double factor, double bound) : factor_(factor), bound_(bound) {}
    std::unique_ptr<LiftedFunction> change() const override { return std::make_unique<Change>(factor_); }
    std::unique_ptr<LiftedFunction> inner(const Matrix&) const override { return nullptr; }
    std::optional<UpperBound> upper_bound(double) const override { return UpperBound{bound_, 0}; }
    double factor_, bound_;
  };

  std::vector<double> factors_;
  Matrix X_, features_;
  double noise_, bound_;
};

template <typename ErrorType>
void expect_refused(const MappedSample& sample, double radius, const std::string& reason) {
  const auto expect = [&](const auto& measure) {
    try {
      measure();
      ADD_FAILURE() << "a value instead of: " << reason;
    } catch (const ErrorType& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  };
  expect([&] { measure_token(sample, 0, {.radius = Radius::absolute(radius)}, Stream(1)); });
  expect([&] { measure_tokens(sample, {.radius = Radius::absolute(radius)}, Stream(1)); });
  expect([&] { estimate_token_by_power(sample, 0, radius, 6, Stream(1)); });
}

TEST(TrustedValues, RefuseFeaturesThatVanishOverflowOrAreNoise) {
  for (const double size : {0.0, 1e-200}) expect_refused<DataError>(MadeUpSample({1}, size), 1, "vanish");
  for (const double size : {HUGE_VAL, -HUGE_VAL, std::nan(""), 1e200})
    expect_refused<DataError>(MadeUpSample({1}, size), 1, "not finite");
  expect_refused<DataError>(MadeUpSample({1}, 0.5, 0.6), 1, "rounding noise");
  EXPECT_EQ(measure_token(MadeUpSample({1}, 0.5, 0.4), 0, {.radius = Radius::absolute(1)}, Stream(1)).sensitivity, 2);
}

TEST(TrustedValues, RefuseARadiusOutOfRange) {
  const MadeUpSample sample({1}, 1);
  for (const double radius : {-1.0, std::nan(""), HUGE_VAL}) expect_refused<UsageError>(sample, radius, "not below 0");
  expect_refused<UsageError>(sample, 1e300, "at most 1e+110");
  EXPECT_EQ(measure_token(sample, 0, {.radius = Radius::absolute(0)}, Stream(1)).sensitivity, 0);
  const auto map = test::draw_map("raf", 4, 3, 1);
  const Matrix X = sphere_sample(Stream(2), 4, 3);
  expect_refused<UsageError>(*map->at(X), 1e-100, "lost in rounding");
}

TEST(TrustedValues, RefuseAChangeThatIsNotFinite) {
  for (const double factor : {std::nan(""), HUGE_VAL})
    expect_refused<DataError>(MadeUpSample({factor}, 1), 1, "the change of the features when token 0 moves");
}

TEST(TrustedValues, HaveABoundOnlyWhereItIsFinite) {
  EXPECT_FALSE(measure_token(MadeUpSample({1}, 1), 0, {.radius = Radius::absolute(1)}, Stream(1)).upper_bound);
}

TEST(TrustedValues, DoNotLieARoundingAboveABoundThatTheyAttain) {
  const auto bound_at = [](double bound) {
    return *measure_token(MadeUpSample({1}, 1, 0, bound), 0, {.radius = Radius::absolute(1)}, Stream(1)).upper_bound;
  };
  const double found = measure_token(MadeUpSample({1}, 1), 0, {.radius = Radius::absolute(1)}, Stream(1)).sensitivity;
  EXPECT_EQ(bound_at(found * (1 - 1e-15)), found);
  EXPECT_EQ(bound_at(2), 2);
  EXPECT_EQ(bound_at(0.9), 0.9) << "a bound that is wrong is not hidden";
}

TEST(TrustedValues, AreZeroWhereNothingMayMove) {
  for (const std::string& name : map_registry().names()) {
    const auto map = test::draw_map(name, 9, 7, 3);
    const Matrix X = spiked_sample(Stream(4), Stream(5), 9, 7, 0.3);
    const auto sample = map->at(X);
    for (Index token = 0; token < 9; ++token) {
      EXPECT_EQ(measure_token(*sample, token, {.radius = Radius::absolute(0)}, Stream(1)).sensitivity, 0) << name;
      EXPECT_EQ(estimate_token_by_power(*sample, token, 0, 6, Stream(1)), 0) << name;
    }
  }
}

TEST(TrustedValues, DoNotHideATokenBehindTheOthers) {
  for (const auto& factors : {std::vector<double>{std::nan(""), 1, 2}, {1, 2, std::nan("")}}) {
    EXPECT_THROW(measure_tokens(MadeUpSample(factors, 1), {.radius = Radius::absolute(1)}, Stream(1)), DataError);
  }
  const auto found = measure_tokens(MadeUpSample({1, 9, 4}, 1), {.radius = Radius::absolute(1)}, Stream(1));
  EXPECT_EQ(found.most.token, 1);
  EXPECT_THROW(measure_tokens(MadeUpSample({}, 1), {.radius = Radius::absolute(1)}, Stream(1)), UsageError);
}

TEST(TrustedValues, TakeARadiusInTheUnitThatWasAskedFor) {
  const auto map = test::draw_map("raf", 4, 3, 1);
  const Matrix X = gaussian_matrix(Stream(2), 4, 3);
  const auto sample = map->at(X);
  const auto all = [&](RadiusUnit unit) {
    return measure_tokens(*sample, {.radius = {0.5, unit}}, Stream(3)).sensitivities;
  };
  const auto by_norm = all(RadiusUnit::kTokenNorm), by_sqrt_d = all(RadiusUnit::kSqrtD);
  for (Index token = 0; token < 4; ++token) {
    const auto at = [&](double length) {
      return measure_token(*sample, token, {.radius = Radius::absolute(length)}, Stream(3)).sensitivity;
    };
    EXPECT_EQ(by_norm[static_cast<size_t>(token)], at(0.5 * X.row(token).norm()));
    EXPECT_EQ(by_sqrt_d[static_cast<size_t>(token)], at(0.5 * std::sqrt(3.0)));
  }
}

TEST(TrustedValues, AreThoseOfTheTokensThatWereAskedFor) {
  const MadeUpSample sample({1, 9, 4, 16}, 1);
  std::vector<double> told;
  const auto found = measure_tokens(sample, std::vector<Index>{2, 0}, {.radius = Radius::absolute(1)}, Stream(1),
                                    [&](const ProgressEvent& event) { told.push_back(event.done / event.total); });
  EXPECT_THAT(found.sensitivities, testing::ElementsAre(2, 1));
  EXPECT_EQ(found.most.token, 2);
  EXPECT_THAT(told, testing::ElementsAre(0.5, 1));
}

TEST(RadiusUnit, HasNamesThatAreReadBack) {
  for (const RadiusUnit unit : {RadiusUnit::kSqrtD, RadiusUnit::kTokenNorm, RadiusUnit::kAbsolute})
    EXPECT_EQ(parse_radius_unit(to_string(unit)), unit);
  EXPECT_THROW(parse_radius_unit("miles"), UsageError);
}

TEST(TrustedValues, AreNotMadeOfTokensThatCancel) {
  Matrix X = gaussian_matrix(Stream(5), 6, 3);
  X.bottomRows(3) = -X.topRows(3);
  for (const char* name : {"raf-square", "raf"}) {
    const auto map = test::draw_map(name, 6, 3, 1, /*beta=*/0);
    expect_refused<DataError>(*map->at(X), 1, "rounding noise");
  }
  X.row(0) *= 1 + 1e-7;  // what is left now has nine digits
  const auto map = test::draw_map("raf-square", 6, 3, 1);
  EXPECT_GT(measure_token(*map->at(X), 0, {.radius = Radius::absolute(1)}, Stream(1)).sensitivity, 1e6);
}

TEST(TrustedValues, AreNotMadeOfWeightsThatCancel) {
  MapOptions options;
  options.n = 2;
  options.d = 3;
  options.set("depth", 2);
  const Matrix tokens = gaussian_matrix(Stream(1), 1, 3).replicate(2, 1);
  Matrix V(2, 6), deep(2, 8);
  V << 0.1, 0.2, 0.3, -0.1, -0.2, -0.3, 0.7, 0.5, 0.3, -0.7, -0.5, -0.3 * (1 + 1e-15);
  deep << V, Matrix::Identity(2, 2);
  for (const char* activation : {"identity", "tanh", "relu"}) {
    options.set("activation", activation);
    EXPECT_THROW(check_features(*map_registry().get("rf").with_weights(options, V)->at(tokens)), DataError);
    EXPECT_THROW(check_features(*map_registry().get("drf").with_weights(options, deep)->at(tokens)), DataError);
  }
  options.set("activation", "identity");
  Matrix second(2, 8);  // the first layer is sound, the second takes the difference of its two equal features
  second.leftCols(6).setConstant(0.1);
  second.rightCols(2) << 1, -1 - 1e-15, 1, -1;
  EXPECT_THROW(check_features(*map_registry().get("drf").with_weights(options, second)->at(tokens)), DataError);
}

}  // namespace
}  // namespace wordsway
