// Activations, dual kernels and predictions of random features.
#include <cmath>

#include <gtest/gtest.h>

#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/maps/random_features/dual_kernel.h"
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

TEST(Activations, SlopesMatchDifferencesAndStayBelowTheLipschitzConstant) {
  for (const std::string& name : activation_names()) {
    const Activation& activation = find_activation(name);
    double steepest = 0;
    for (double z = -6; z < 6; z += 0.0137) {
      const double difference = (activation.value(z + 1e-6) - activation.value(z - 1e-6)) / 2e-6;
      EXPECT_NEAR(activation.slope(z), difference, 1e-8) << name << " at " << z;
      steepest = std::max(steepest, std::abs(activation.slope(z)));
    }
    EXPECT_LE(steepest, activation.lipschitz) << name;
    EXPECT_GT(steepest, 0.999 * activation.lipschitz) << name;
  }
}

TEST(Activations, ManyAtOnceAreTheSameAsOneByOne) {
  const Vector z = gaussian_vector(Stream(1), 20000, 2);
  for (const std::string& name : activation_names()) {
    const Activation& activation = find_activation(name);
    Vector values(z.size()), slopes(z.size());
    activate(activation, z, values, &slopes);
    for (Index a = 0; a < z.size(); ++a) {
      ASSERT_NEAR(values[a], activation.value(z[a]), 1e-15) << name;
      ASSERT_NEAR(slopes[a], activation.slope(z[a]), 1e-15) << name;
    }
  }
}

TEST(Activations, ReluAndGeluKeepTheMeanSquareOverLayers) {
  for (const char* name : {"relu", "gelu", "identity"}) {
    const Activation& activation = find_activation(name);
    const double root = std::sqrt(activation.variance);
    EXPECT_NEAR(expectation([&](double g) { return std::pow(activation.value(root * g), 2); }), 1, 1e-6) << name;
  }
  EXPECT_EQ(find_activation("tanh").variance, 1);
  EXPECT_THROW(find_activation("swish"), UsageError);
}

TEST(DualKernel, AgreesWithSampledNeurons) {
  const Index draws = 2'000'000;
  const Vector g = gaussian_vector(Stream(1), draws), h = gaussian_vector(Stream(2), draws);
  const PairMoments in{1.3, -0.2, 0.4};
  const double along = in.cross / in.square, across = std::sqrt(in.change - along * in.cross);
  for (const std::string& name : activation_names()) {
    const Activation& activation = find_activation(name);
    PairMoments sampled{0, 0, 0};
    for (Index t = 0; t < draws; ++t) {
      const double u = std::sqrt(in.square) * g[t], before = activation.value(u);
      const double change = activation.value(u + along * u + across * h[t]) - before;
      sampled.square += before * before / static_cast<double>(draws);
      sampled.cross += before * change / static_cast<double>(draws);
      sampled.change += change * change / static_cast<double>(draws);
    }
    const PairMoments out = through_activation(activation, in);
    EXPECT_NEAR(out.square, sampled.square, 5e-3) << name;
    EXPECT_NEAR(out.cross, sampled.cross, 2e-3) << name;
    EXPECT_NEAR(out.change, sampled.change, 2e-3) << name;
  }
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
    options.width = at.width;
    options.depth = at.depth;
    options.activation = at.activation;
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
