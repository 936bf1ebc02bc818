// The table of feature maps. Filled by the build from the files in maps/ (cmake/WordswayRegistry.cmake).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "wordsway/core/record.h"
#include "wordsway/core/registry.h"
#include "wordsway/maps/feature_map.h"
#include "wordsway/maps/learner_view.h"
#include "wordsway/maps/parameter.h"
#include "wordsway/random/stream.h"

namespace wordsway {

struct LearnerLaw;

/// Inputs of a prediction besides the options.
struct TokenGeometry {
  double sample_square;  // ‖X‖²
  double token_norm;     // ‖x_i‖
  double radius;         // ρ
  Index moved = 1;       // tokens that move together; norm and radius are then those of all of them side by side
};

/// The sensitivity that theory predicts: in the limit and, if a correction is known, corrected for the map's size. NaN
/// if the numbers exceed the range of a double.
struct Prediction {
  double limit;
  std::optional<double> finite;
};

/// The version of a map's computation. Raise it if the same settings and seed give other rows than before, so that no
/// journal mixes the two. It has no default, so every map states it.
struct MethodNumber {
  explicit constexpr MethodNumber(int number) : value(number) {}
  int value;
};

/// A map, as its file registers it.
struct MapEntry {
  MethodNumber method;
  std::string summary = {};      // one line for `wordsway list maps`
  std::string description = {};  // of its page: formula, bound, cost; the parameters are added by page()
  /// The map's parameters, in the order of rows.
  std::vector<Parameter> parameters = {};
  /// Ways to hold the weights; the first is the default.
  std::vector<std::string> random_ways = {"dense"};

  /// Throws UsageError on options that make no sense although each parameter does; may be empty.
  std::function<void(const MapOptions&)> check = {};
  /// Bytes that measuring one token of one sample holds at once, weights included.
  std::function<double(const MapOptions&)> memory_bytes = {};
  /// Draws the weights from `weights` and makes the map.
  std::function<std::unique_ptr<FeatureMap>(const MapOptions&, const Stream& weights)> draw = {};
  /// Makes the map with these weights. Throws DataError when their shape does not fit.
  std::function<std::unique_ptr<FeatureMap>(const MapOptions&, const Matrix& weights)> with_weights = {};
  /// Sets the parameters that given weights determine, unless they were given too; empty if there are none.
  std::function<void(MapOptions&, const Matrix& weights)> follow_weights = {};
  /// Numbers in φ(X); n·d where empty.
  std::function<double(const MapOptions&)> feature_count = {};
  /// Draws the weights only where a learner looks (maps/learner_view.h); empty when `draw` serves.
  std::function<std::unique_ptr<LearnerView>(const MapOptions&, const Stream& weights, const LearnerSamples&)>
      draw_for = {};
  /// The law of the random features that draw_for draws, for a device that draws them itself (cuda/); empty where
  /// draw_for draws anything else (maps/random_features/features_learner.h).
  std::function<std::shared_ptr<const LearnerLaw>(const MapOptions&)> learner_law = {};
  /// Bytes that draw_for's view of N training samples holds, samples and their features aside.
  std::function<double(const MapOptions&, Index training_size)> learner_memory_bytes = {};
  /// Predicts S_i for drawn weights; empty if there is no theory.
  std::function<Prediction(const MapOptions&, const TokenGeometry&)> predict = {};

  /// nullptr when the map declares no such parameter.
  const Parameter* parameter(const std::string& name) const;
  /// The way the weights are held. Throws UsageError when it is none of the map's.
  std::string random_of(const MapOptions& options) const;
  /// The parameters and `random` as a row shows them: given or by default. Throws UsageError on options that make no
  /// sense.
  Record describe(const MapOptions& options) const;
  /// For `wordsway list maps --long`: the description and the parameters.
  std::string page() const;
};

using MapRegistry = Registry<MapEntry>;
extern template class Registry<MapEntry>;  // every map would compile it again

/// All maps. Built on first use; thread-safe.
const MapRegistry& map_registry();

/// "method of NAME" with its number for each of these maps, for journals.
Record methods_of(const std::vector<std::string>& maps);

}  // namespace wordsway
