// What the interfaces of maps do by themselves: checks, functions composed of inner products, rows of many samples, and
// the views of learners.
#include "wordsway/maps/feature_map.h"

#include <cmath>

#include <gmock/gmock.h>

#include "support/samples.h"
#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

using testing::HasSubstr;

template <typename Failure, typename Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Failure& error) {
    return error.what();
  }
  return "";
}

// A sample of given features, noise and range.
class FixedSample final : public MappedSample {
 public:
  FixedSample(double norm, double noise, MoveRange range = {0, kLongestMove})
      : features_(Matrix::Constant(1, 1, norm)), noise_(noise), range_(range) {}

  const Matrix& X() const override { return features_; }
  const Matrix& features() const override { return features_; }
  std::unique_ptr<TokenView> token(Index) const override { return nullptr; }
  double noise_norm() const override { return noise_; }
  MoveRange move_range() const override { return range_; }

 private:
  Matrix features_;
  double noise_;
  MoveRange range_;
};

TEST(CheckFeatures, RefusesWhatIsNotToBeDividedBy) {
  EXPECT_NO_THROW(check_features(FixedSample(1e-100, 1e-101)));
  const auto found = [](double norm, double noise) {
    return refusal<DataError>([&] { check_features(FixedSample(norm, noise)); });
  };
  EXPECT_THAT(found(0, 0), HasSubstr("vanish"));
  EXPECT_THAT(found(1e-151, 0), HasSubstr("vanish"));
  EXPECT_THAT(found(HUGE_VAL, 0), HasSubstr("not finite"));
  EXPECT_THAT(found(std::nan(""), 0), HasSubstr("not finite"));
  EXPECT_THAT(found(1e-9, 1e-9), HasSubstr("rounding noise"));
}

TEST(CheckRadius, TakesZeroAndTheRangeOfTheSample) {
  const FixedSample sample(1, 0, {1e-6, 1e6});
  for (const double radius : {0.0, 1e-6, 1.0, 1e6}) EXPECT_NO_THROW(check_radius(sample, radius)) << radius;
  const auto found = [&](double radius) { return refusal<UsageError>([&] { check_radius(sample, radius); }); };
  EXPECT_THAT(found(0.9e-6), HasSubstr("0 or at least 1e-06"));
  EXPECT_THAT(found(1.1e6), HasSubstr("at most 1e+06"));
  for (const double radius : {-1.0, std::nan(""), HUGE_VAL}) EXPECT_THAT(found(radius), HasSubstr("not below 0"));
}

TEST(CheckEntries, NamesWhatItChecksAndTheLimit) {
  EXPECT_NO_THROW(check_entries(Matrix::Constant(2, 2, -5), "the thing", 5));
  EXPECT_NO_THROW(check_entries(Matrix(0, 3), "the thing"));
  EXPECT_THAT(refusal<DataError>([] { check_entries(Matrix::Constant(2, 2, -6), "the thing", 5); }),
              HasSubstr("the thing must lie between -5e+00 and 5e+00; got one of size 6"));
  EXPECT_THAT(refusal<DataError>([] { check_entries(Matrix::Constant(1, 1, std::nan("")), "the thing"); }),
              HasSubstr("the thing contains a value that is not finite"));
}

// What a map inherits against what it overrides: the same functions by another way.
TEST(InheritedFunctions, AgreeWithThoseThatMapsOverride) {
  for (const char* name : {"raf", "raf-square", "rf", "drf"}) {
    SCOPED_TRACE(name);
    const auto map = test::draw_map(name, 5, 4, 3);
    const Matrix X = sphere_sample(Stream(1), 5, 4);
    const auto sample = map->at(X);
    const auto view = sample->token(2);
    const Index rows = sample->features().rows(), columns = sample->features().cols();
    const std::vector<Matrix> psis = {gaussian_matrix(Stream(5), rows, columns),
                                      gaussian_matrix(Stream(6), rows, columns)};
    const OuterFunction product = [](std::span<const double> v, std::span<double> gradient) {
      if (!gradient.empty()) {
        gradient[0] = v[1];
        gradient[1] = v[0];
      }
      return v[0] * v[1];
    };
    const auto own = view->outer(psis, product), inherited = view->TokenView::outer(psis, product);
    const Vector delta = gaussian_vector(Stream(7), 4);
    Vector own_gradient, inherited_gradient;
    const double value = (*own)(delta, &own_gradient);
    EXPECT_NEAR((*inherited)(delta, &inherited_gradient), value, 1e-11 * (1 + std::abs(value)));
    EXPECT_LT((own_gradient - inherited_gradient).norm(), 1e-10 * (1 + own_gradient.norm()));

    const Matrix flat = Eigen::Map<const Matrix>(X.data(), 1, X.size());
    Matrix all(1, 2 * columns), by_sample(1, 2 * columns);
    map->feature_rows(flat, 5, 1, 2, all);
    map->FeatureMap::feature_rows(flat, 5, 1, 2, by_sample);
    EXPECT_LT((all - by_sample).norm(), 1e-13 * (1 + all.norm()));
  }
}

TEST(IdentityOuter, IsTheInnerProductItself) {
  double slope = 0;
  const double value = 2.5;
  EXPECT_EQ(identity_outer()({&value, 1}, {&slope, 1}), 2.5);
  EXPECT_EQ(slope, 1);
  EXPECT_EQ(identity_outer()({&value, 1}, {}), 2.5);
}

// --- learners ---

TEST(LearnerViews, RefuseSamplesThatDoNotFit) {
  const Matrix X = sphere_sample(Stream(1), 3, 2), training = gaussian_matrix(Stream(2), 4, 6);
  const Matrix none(0, 6), other = gaussian_matrix(Stream(2), 4, 5);
  MapOptions options;
  options.n = 3;
  options.d = 2;
  for (const std::string& name : map_registry().names()) {
    const MapEntry& entry = map_registry().get(name);
    const auto draw = [&](const Matrix& samples, Index token) {
      draw_learner_view(entry, options, Stream(1), {samples, X, token});
    };
    EXPECT_NO_THROW(draw(training, 2)) << name;
    EXPECT_THROW(draw(none, 0), DataError) << name;
    EXPECT_THROW(draw(other, 0), DataError) << name;
    EXPECT_THROW(draw(training, 3), UsageError) << name;
    EXPECT_THROW(draw(training, -1), UsageError) << name;
  }
}

TEST(LearnerViews, OfAWholeMapGiveTheFeaturesOfItsSamples) {
  const Matrix X = sphere_sample(Stream(1), 3, 2), training = gaussian_matrix(Stream(2), 4, 6);
  for (const char* name : {"raf", "raf-relu", "rf"}) {
    const auto map = test::draw_map(name, 3, 2, 5);
    const auto view = whole_learner_view(test::draw_map(name, 3, 2, 5), {training, X, 1});
    EXPECT_EQ(view->sample().features(), map->at(X)->features()) << name;
    const Index columns = view->sample().features().cols();
    Matrix rows(4, 2 * columns);
    view->training_rows(1, 2, rows);
    for (Index s = 0; s < 4; ++s) {
      const Matrix expected =
          map->features_reference(Eigen::Map<const Matrix>(training.row(s).data(), 3, 2)).middleRows(1, 2);
      EXPECT_LT((rows.row(s).transpose() - Eigen::Map<const Vector>(expected.data(), expected.size())).norm(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace wordsway
