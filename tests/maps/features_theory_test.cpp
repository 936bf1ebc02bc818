// Activations, dual kernels and predictions of random features.
#include <cmath>

#include <gtest/gtest.h>

#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/maps/random_features/predict.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

// E f(g), g ~ N(0, 1), by the trapezoidal rule: exponentially accurate for smooth f.
template <typename Function>
double expectation(const Function& f) {
  double sum = 0;
  for (int j = -12000; j <= 12000; ++j) {
    const double g = 1e-3 * j;
    sum += 1e-3 * std::exp(-0.5 * g * g) / std::sqrt(2 * M_PI) * f(g);
  }
  return sum;
}

TEST(Activations, ReluAndGeluKeepTheMeanSquareOverLayers) {
  for (const char* name : {"relu", "gelu", "identity"}) {
    const Activation& activation = find_activation(name);
    const double root = std::sqrt(activation.variance);
    EXPECT_NEAR(expectation([&](double g) { return std::pow(activation.value(root * g), 2); }), 1, 1e-6) << name;
  }
  EXPECT_EQ(find_activation("tanh").variance, 1);
}

TEST(DualKernel, OfASmallChangeKeepsItsDigits) {
  const PairMoments out = through_activation(find_activation("relu"), {1, 1e-9, 1e-8});
  EXPECT_NEAR(out.change, 0.5e-8 - std::pow(1e-8, 1.5) / (3 * M_PI), 1e-16);
}

TEST(SlopeKurtosis, IsOneForTheIdentityAndTwoForRelu) {
  EXPECT_NEAR(slope_kurtosis(find_activation("identity"), 1), 1, 1e-12);
  EXPECT_EQ(slope_kurtosis(find_activation("relu"), 1), 2);
  const double second = expectation([](double g) { return std::pow(1 - std::pow(std::tanh(g), 2), 2); });
  const double fourth = expectation([](double g) { return std::pow(1 - std::pow(std::tanh(g), 2), 4); });
  EXPECT_NEAR(slope_kurtosis(find_activation("tanh"), 1), fourth / (second * second), 1e-9);
}

// In the limit of many features at a fixed d, S is the limit; at k = nd it is the finite one.
TEST(Prediction, MatchesMeasurements) {
  struct Case {
    const char *map, *activation;
    Index n, d, width, depth;
    double tolerance;
  };
  for (const Case& at : {Case{"rf", "relu", 12, 4, 60000, 1, 0.02}, Case{"rf", "tanh", 12, 4, 60000, 1, 0.02},
                         Case{"rf", "relu", 30, 200, 6000, 1, 0.02}, Case{"rf", "identity", 20, 200, 4000, 1, 0.02},
                         Case{"rf", "gelu", 20, 200, 4000, 1, 0.03}, Case{"drf", "relu", 30, 100, 3000, 3, 0.04},
                         Case{"drf", "tanh", 30, 100, 3000, 2, 0.04}}) {
    MapOptions options;
    options.n = at.n;
    options.d = at.d;
    options.set("width", at.width);
    options.set("depth", at.depth);
    options.set("activation", at.activation);
    const MapEntry& entry = map_registry().get(at.map);
    const Matrix X = sphere_sample(Stream(3), at.n, at.d);
    const double radius = std::sqrt(static_cast<double>(at.d));
    const auto map = entry.draw(options, Stream(2));
    const auto sample = map->at(X);
    const double S =
        measure_token(*sample, 0,
                      {.radius = Radius::absolute(radius), .starts = 2, .max_iterations = 25, .tolerance = 1e-5},
                      Stream(1))
            .sensitivity;
    const Prediction predicted = entry.predict(options, {X.squaredNorm(), X.row(0).norm(), radius});
    const bool wide = at.width > 1000 * at.d;
    EXPECT_NEAR(S, wide ? predicted.limit : *predicted.finite, at.tolerance * S) << at.map << " " << at.activation;
    EXPECT_LE(predicted.limit, *predicted.finite);
  }
}

TEST(Prediction, OfReluTendsToOneOverRootN) {
  MapOptions options;
  options.d = 768;
  for (const Index n : {100, 10000}) {
    options.n = n;
    const double size = static_cast<double>(n);
    const Prediction predicted =
        map_registry().get("rf").predict(options, {768 * size, std::sqrt(768.0), std::sqrt(768.0)});
    EXPECT_NEAR(predicted.limit * std::sqrt(size), 1 - 1 / (3 * M_PI * std::sqrt(size)), 0.2 / size);
    EXPECT_NEAR(*predicted.finite / predicted.limit, 1 + std::sqrt(2 / size), 1e-9);
  }
}

}  // namespace
}  // namespace wordsway
