// A quick estimate of word sensitivity: the map is taken as linear in Δ, and a few power iterations find the direction
// it stretches most. Ranks tokens at a fraction of the cost of an ascent; the value itself may be far off where the map
// saturates (bench/words compares the rankings).
#pragma once

#include "wordsway/maps/feature_map.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// ‖J‖·ρ/‖φ(X)‖ with J the Jacobian by Δ at 0, from `iterations` power iterations on JᵀJ, whose products are gradients
/// of `change` at small Δ: 2 JᵀJ Δ to first order.
double estimate_token_linearly(const Sample& sample, Index token, double radius, int iterations, const Stream& stream);

}  // namespace wordsway
