// Word sensitivity of one sample: S_i = sup over ‖Δ‖ ≤ ρ of ‖φ(X^i(Δ)) − φ(X)‖/‖φ(X)‖, S = max over i.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "wordsway/ascent/ascend.h"
#include "wordsway/maps/feature_map.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// Which way of searching this is: to be raised when the same settings and seed give other values than before.
inline constexpr int kSearchMethod = 1;

// Starts and tolerance: the view's advice unless given.
struct SensitivityOptions {
  double radius = 1;               // ρ itself, not in units of √d
  std::optional<int> starts = {};  // ascents a token: the map's own directions first, then random ones
  int max_iterations = 500;        // an ascent
  std::optional<double> tolerance = {};
};

struct TokenSensitivity {
  Index token = 0;
  double sensitivity = 0;   // the best over all starts: a lower value of the sup; always finite
  Vector delta;             // where it was found, ‖Δ‖ ≤ ρ
  double start_spread = 0;  // (best − worst)/best over the starts; NaN when one of them left the range of a double
  int starts = 0;
  long evaluations = 0;               // of all starts
  bool converged = false;             // the best start stopped by its tolerance, and all starts stayed in range
  std::optional<double> upper_bound;  // of S_i, in the same unit as `sensitivity`; finite
  std::optional<double> upper_bound_probability;  // that it fails
};

/// Measures one token. Random starts come from `stream`, keyed by the token. Starts run in parallel where the
/// view allows it. Throws DataError when S has no meaning here: φ(X) vanishes, is not finite or is rounding noise
/// (check_features), or its change is not finite; UsageError when the radius is out of range (check_radius);
/// Stopped when the thread is asked to stop (core/stop.h).
TokenSensitivity measure_token(const Sample& sample, Index token, const SensitivityOptions& options,
                               const Stream& stream);

struct SampleSensitivity {
  TokenSensitivity most;              // of the most sensitive token; evaluations summed and bound maximised over tokens
  std::vector<double> sensitivities;  // [n]
};

/// Measures every token, in parallel where the sample allows it; each result is what measure_token gives, and what it
/// throws for any of them is thrown. n ≥ 1.
SampleSensitivity measure_all_tokens(const Sample& sample, Index n, const SensitivityOptions& options,
                                     const Stream& stream);

/// The same with a radius for each token, in place of options.radius; `radius_of` is called from several threads.
SampleSensitivity measure_all_tokens(const Sample& sample, Index n, const SensitivityOptions& options,
                                     const Stream& stream, const std::function<double(Index token)>& radius_of);

}  // namespace wordsway
