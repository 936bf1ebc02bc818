// A quick estimate of word sensitivity: a few power iterations Δ ← ρ·∇/‖∇‖, where ∇ is the gradient of
// ‖φ(X^i(Δ)) − φ(X)‖² at Δ. For a map that is linear in Δ that is the power method on JᵀJ, J being its Jacobian.
//
// Every step is a change that was reached, so the estimate is never above the sensitivity. For short moves it ranks
// tokens as the full ascent does, at a fraction of the cost; for long ones it does not (bench/words prints how well).
#pragma once

#include "wordsway/maps/feature_map.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// The largest ‖φ(X^i(Δ)) − φ(X)‖/‖φ(X)‖ over `iterations` steps with ‖Δ‖ = radius. Throws as
/// measure_token (sensitivity.h) does.
double estimate_token_by_power(const Sample& sample, Index token, double radius, int iterations, const Stream& stream);

}  // namespace wordsway
