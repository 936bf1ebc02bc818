// How far attention can go at most when one token moves: docs/theory.md, "Upper bound".
#pragma once

#include <functional>

#include "wordsway/maps/attention/attention_view.h"

namespace wordsway {

/// At least sup ‖φ(X^i(Δ)) − φ(X)‖ over ‖Δ‖ ≤ radius.
double attention_change_bound(const AttentionToken& token, double radius);

/// The same where every row goes as far as it can by itself: what attention_change_bound is never above.
double attention_change_bound_by_rows(const AttentionToken& token, double radius);

/// How far the output of a token that moves can go: after the move it is a mean of all tokens, those that `moves` says
/// at most `radius` from where they were, or 0 where no token has weight.
double moved_row_bound(const AttentionState& sample, Index row, const std::function<bool(Index)>& moves, double radius);

/// ‖A‖² from above, for A Aᵀ = gram or Aᵀ A = gram: at most m^(1/16) too large for m rows, and 1% on random ones.
double squared_norm_bound(Matrix gram);

}  // namespace wordsway
