#include "support/feature_draws.h"

#include <cmath>

#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway::test {

MapMaker registered(const FeatureShape& shape, const std::string& random) {
  MapOptions options;
  options.n = shape.n;
  options.d = shape.d;
  options.set("depth", shape.depth);
  options.set("activation", shape.activation);
  options.random = random;
  const MapEntry& entry = map_registry().get(shape.depth == 1 ? "rf" : "drf");
  return [options, &entry](const Stream& weights) { return entry.draw(options, weights); };
}

MapMaker deferred_with(const FeatureShape& shape, const DeferredMaker& make) {
  return [shape, make](const Stream& weights) {
    const Activation& activation = find_activation(shape.activation);
    const Index D = shape.n * shape.d;
    const double scale = std::sqrt(activation.variance / static_cast<double>(D));
    RandomFeatures::Layers deeper;
    for (Index l = 1; l < shape.depth; ++l)
      deeper.push_back(make(weights.derive("layer").derive(static_cast<std::uint64_t>(l)), D, D, scale));
    return std::make_unique<RandomFeatures>(
        std::make_unique<DeferredBlocks>(weights, shape.n, shape.d, D, scale, true, make), std::move(deeper),
        activation);
  };
}

FeatureDraws draw_features(const FeatureShape& shape, const MapMaker& make, int count, std::uint64_t seed,
                           const std::function<Matrix(const Stream&)>& sample) {
  FeatureDraws result{std::vector<double>(static_cast<size_t>(count)), std::vector<double>(static_cast<size_t>(count))};
  const SensitivityOptions search{.starts = 1, .max_iterations = 60, .tolerance = 1e-5};
  parallel_for(count, [&](Index draw) {
    const Stream stream = Stream(seed).derive(static_cast<std::uint64_t>(draw));
    const auto map = make(stream.derive("weights"));
    const auto at = map->at(sample(stream));
    const auto slot = static_cast<size_t>(draw);
    result.norm[slot] = at->feature_norm();
    result.sensitivity[slot] = shape.all_tokens ? measure_tokens(*at, search, stream).most.sensitivity
                                                : measure_token(*at, 0, search, stream).sensitivity;
  });
  return result;
}

FeatureDraws draw_features(const FeatureShape& shape, const MapMaker& make, int count, std::uint64_t seed) {
  const Matrix X = sphere_sample(Stream(5), shape.n, shape.d);
  return draw_features(shape, make, count, seed, [&X](const Stream&) { return X; });
}

}  // namespace wordsway::test
