// The nonlinearity of a feed-forward or dense layer, entry by entry: the activations of layers in the table.
#pragma once

#include "wordsway/core/matrix.h"
#include "wordsway/maps/random_features/activation_table.h"

namespace wordsway {

/// x ← σ(x) and slope ← σ'(x), entry by entry. The vjp is a product with the slope, which is cheap here, where value
/// and slope share their exponentials.
void activate(ActivationKind kind, MatrixFRef x, MatrixFRef slope);
/// x ← σ(x), with the same bits.
void activate(ActivationKind kind, MatrixFRef x);

}  // namespace wordsway
