// Many small random-feature maps, measured: samples of S and of ‖φ‖ for comparing laws.
#pragma once

#include <functional>
#include <vector>

#include "wordsway/maps/random_features/deferred_blocks.h"
#include "wordsway/maps/random_features/random_features.h"

namespace wordsway::test {

struct FeatureShape {
  Index n = 6, d = 12, depth = 1;
  bool all_tokens = false;
  std::string activation = "relu";
};

struct FeatureDraws {
  std::vector<double> sensitivity, norm;
};

/// Makes a map from the stream of its weights.
using MapMaker = std::function<std::unique_ptr<FeatureMap>(const Stream& weights)>;

/// The registered map (`rf` at depth 1, else `drf`), held as `random` says.
MapMaker registered(const FeatureShape& shape, const std::string& random);
/// A deferred `drf` whose matrices come from `make`.
MapMaker deferred_with(const FeatureShape& shape, const DeferredMaker& make);

/// Maximal or first-token S, one start, and ‖φ‖ of `count` maps at X = sample(stream); in parallel.
FeatureDraws draw_features(const FeatureShape& shape, const MapMaker& make, int count, std::uint64_t seed,
                           const std::function<Matrix(const Stream&)>& sample);
/// The same at one fixed X on the sphere.
FeatureDraws draw_features(const FeatureShape& shape, const MapMaker& make, int count, std::uint64_t seed);

}  // namespace wordsway::test
