// An upper bound on how far attention can move when one token moves: docs/theory.md, "Upper bound".
#pragma once

#include <functional>

#include "wordsway/maps/attention/attention_view.h"

namespace wordsway {

/// An upper bound on sup ‖φ(X^i(Δ)) − φ(X)‖ over ‖Δ‖ ≤ radius.
double attention_change_bound(const AttentionToken& token, double radius);

/// A looser bound that lets every row move as far as it can by itself; never below attention_change_bound.
double attention_change_bound_by_rows(const AttentionToken& token, double radius);

/// How far the output of a moved token can move. After the move the output is a mean of all tokens, and those that
/// `moves` names lie at most `radius` from where they were; it is 0 if no token has weight.
double moved_row_bound(const AttentionState& sample, Index row, const std::function<bool(Index)>& moves, double radius);

/// An upper bound on ‖A‖² from A Aᵀ = gram or Aᵀ A = gram: at most m^(1/16) too large for m rows, and 1% on random
/// ones.
double squared_norm_bound(Matrix gram);

}  // namespace wordsway
