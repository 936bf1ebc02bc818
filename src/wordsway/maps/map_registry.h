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
#include "wordsway/random/stream.h"

namespace wordsway {

/// What may be asked of a map besides its name; a map ignores what it has no use for.
struct MapOptions {
  Index n = 0;                      // tokens
  Index d = 0;                      // coordinates of a token
  double beta = 1;                  // inverse temperature of attention
  Index depth = 1;                  // layers of a deep map
  std::optional<Index> width;       // features of a layer; n·d when not given
  std::string activation = "relu";  // of random features
  std::string random;               // how the weights are held: dense, streamed, deferred; empty: the map's own choice
  bool keep_weights = true;         // false: deferred weights of a token may be let go with its view; no weights() then
};

/// What a prediction may depend on besides the options.
struct TokenGeometry {
  double sample_square;  // ‖X‖²
  double token_norm;     // ‖x_i‖
  double radius;         // ρ
};

/// The sensitivity that theory expects: in the limit, and corrected for the map's size where a correction is known. NaN
/// where the numbers are beyond what a double holds.
struct Prediction {
  double limit;
  std::optional<double> finite;
};

/// Which way of computing a map's rows this is: to be raised when the same settings and seed give other rows than
/// before, so that no journal mixes the two. It has no default: whoever writes a map says it.
struct MethodNumber {
  explicit constexpr MethodNumber(int number) : value(number) {}
  int value;
};

/// What a map file registers.
struct MapEntry {
  MethodNumber method;
  std::string summary = {};      // one line for `wordsway list maps`
  std::string description = {};  // its page for `wordsway list maps --long`: formula, parameters, bound, cost

  /// The fields `depth, width, activation, beta, random` as a row shows them: resolved, and missing where the map has
  /// no such thing. Throws UsageError on options that make no sense.
  std::function<Record(const MapOptions&)> describe = {};
  /// Bytes that measuring one token of one sample holds at once, weights included.
  std::function<double(const MapOptions&)> memory_bytes = {};
  /// Draws the weights from `weights` and makes the map.
  std::function<std::unique_ptr<FeatureMap>(const MapOptions&, const Stream& weights)> draw = {};
  /// Makes the map with these weights. Throws DataError when their shape does not fit.
  std::function<std::unique_ptr<FeatureMap>(const MapOptions&, const Matrix& weights)> with_weights = {};
  /// Draws the weights only where a learner looks (maps/learner_view.h); empty when `draw` serves.
  std::function<std::unique_ptr<LearnerView>(const MapOptions&, const Stream& weights, const LearnerSamples&)>
      draw_for = {};
  /// Bytes that draw_for's view of N training samples holds, samples and their features aside.
  std::function<double(const MapOptions&, Index training_size)> learner_memory_bytes = {};
  /// The S_i of drawn weights that theory predicts; empty where there is no theory.
  std::function<Prediction(const MapOptions&, const TokenGeometry&)> predict = {};
};

using MapRegistry = Registry<MapEntry>;

/// All maps there are; built on first use, thread-safe.
const MapRegistry& map_registry();

/// "method of NAME" with its number, for each of these maps: what a journal remembers of them.
Record methods_of(const std::vector<std::string>& maps);

}  // namespace wordsway
