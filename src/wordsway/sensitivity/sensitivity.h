// Word sensitivity of one sample: S_i = sup over ‖Δ‖ ≤ ρ of ‖φ(X^i(Δ)) − φ(X)‖/‖φ(X)‖, S = max over i.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/ascent/ascend.h"
#include "wordsway/core/progress.h"
#include "wordsway/maps/feature_map.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// The version of this search. Raise it if the same settings and seed give other values than before.
inline constexpr int kSearchMethod = 1;

/// The unit of a radius: √d, the norm of the token's own row, or none.
enum class RadiusUnit { kSqrtD, kTokenNorm, kAbsolute };

/// "sqrt-d", "token-norm" or "abs". Throws UsageError on another name.
RadiusUnit parse_radius_unit(const std::string& name);
std::string to_string(RadiusUnit unit);

/// How far a token may move.
struct Radius {
  double value = 1;
  RadiusUnit unit = RadiusUnit::kSqrtD;

  static Radius absolute(double length) { return {length, RadiusUnit::kAbsolute}; }

  /// ρ itself, for the token with this row of X.
  double of(const Eigen::Ref<const Eigen::RowVectorXd>& row) const;
};

// Starts and tolerance: the view's advice unless given.
struct SensitivityOptions {
  Radius radius = {};
  std::optional<int> starts = {};  // ascents a token: the map's own directions first, then random ones
  int max_iterations = 500;        // an ascent
  std::optional<double> tolerance = {};
};

struct TokenSensitivity {
  Index token = 0;
  double sensitivity = 0;   // the best over all starts: a lower value of the sup; always finite
  Vector delta;             // the maximiser, ‖Δ‖ ≤ ρ; for tokens that move together, one after the other
  Index moved = 1;          // tokens that move together
  double start_spread = 0;  // (best − worst)/best over the starts; NaN when one of them left the range of a double
  int starts = 0;
  long evaluations = 0;               // of all starts
  bool converged = false;             // the best start stopped by its tolerance, and all starts stayed in range
  std::optional<double> upper_bound;  // of S_i, in the same unit as `sensitivity`; finite
  std::optional<double> upper_bound_probability;  // that it fails
};

/// `count` tokens of n: those that follow `first`, or, spread, as evenly as they go from it to the end. Throws
/// UsageError when they run past the end.
std::vector<Index> tokens_from(Index first, Index count, Index n, bool spread);

/// Measures tokens that move together, each within its ball: `token` of the result is the first, `delta` is [M·d],
/// and evaluations, bounds and errors are as for one token, which has the same result as from measure_token. Throws
/// UsageError also when the map can move one token only, or the tokens are not those of the sample (check_tokens).
TokenSensitivity measure_together(const MappedSample& sample, std::span<const Index> moved,
                                  const SensitivityOptions& options, const Stream& stream);

/// Measures one token. Random starts come from `stream`, keyed by the token, and run in parallel if the view allows it.
/// Throws DataError if S has no meaning here: φ(X) vanishes, is not finite or is rounding noise (check_features), or
/// its change is not finite; UsageError if the radius is out of range (check_radius); Stopped if the thread is asked to
/// stop (core/stop.h).
TokenSensitivity measure_token(const MappedSample& sample, Index token, const SensitivityOptions& options,
                               const Stream& stream);

struct SampleSensitivity {
  TokenSensitivity most;              // of the most sensitive token; evaluations summed and bound maximised over tokens
  std::vector<double> sensitivities;  // of each token that was measured, in their order
};

/// Called for a token that was measured, while its view still holds what it has computed.
using TokenQuestion = std::function<void(Index token, const TokenView& view)>;

/// Calls search(0) ... search(count - 1), which search views of the sample, as it is best for the sample: in parallel,
/// in lockstep or one after the other.
void for_each_search(const MappedSample& sample, Index count, const std::function<void(Index)>& search);

/// Measures the given tokens, in parallel if the sample allows it. Each result and each exception is that of
/// measure_token. `question`, unless empty, is called once for each token, from any thread, and its exceptions are
/// passed on. Throws UsageError if there is no token.
SampleSensitivity measure_tokens(const MappedSample& sample, std::span<const Index> tokens,
                                 const SensitivityOptions& options, const Stream& stream, const Progress& progress = {},
                                 const TokenQuestion& question = {});

/// Measures all tokens of the sample.
SampleSensitivity measure_tokens(const MappedSample& sample, const SensitivityOptions& options, const Stream& stream,
                                 const Progress& progress = {}, const TokenQuestion& question = {});

// A quick estimate of word sensitivity: a few power iterations Δ ← ρ·∇/‖∇‖, where ∇ is the gradient of
// ‖φ(X^i(Δ)) − φ(X)‖² at Δ. For a map that is linear in Δ that is the power method on JᵀJ, J being its Jacobian.
//
// Every step is a change that was reached, so the estimate is never above the sensitivity. For short moves it ranks
// tokens as the full ascent does, at a fraction of the cost; for long ones it does not (bench/words prints how well).

/// Power iterations at the start of a search in stages (SearchAdvice), and of `words --fast`.
inline constexpr int kPowerIterations = 6;

/// The largest ‖φ(X^i(Δ)) − φ(X)‖/‖φ(X)‖ over `iterations` steps with ‖Δ‖ = radius, from the view's first direction.
/// With kPowerIterations and the stream of measure_token it is never above what that finds, where the view's advice
/// is a search in stages. Throws as measure_token does.
double estimate_token_by_power(const MappedSample& sample, Index token, double radius, int iterations,
                               const Stream& stream);

}  // namespace wordsway
