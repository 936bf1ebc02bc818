// The nonlinearity of a feed-forward or dense layer, entry by entry.
#pragma once

#include <string>

#include "wordsway/core/matrix.h"

namespace wordsway {

enum class HiddenActivation {
  kGelu,      // x·Φ(x)                                    "gelu"
  kGeluTanh,  // x/2·(1 + tanh(√(2/π)(x + 0.044715 x³)))   "gelu_new", "gelu_pytorch_tanh"
  kRelu,      // max(x, 0)                                 "relu"
  kSilu,      // x/(1 + e^-x)                              "silu", "swish"
  kTanh,      // tanh(x)                                   "tanh"
  kIdentity,  // x                                         "identity"
};

/// From the name a config.json uses. Throws UsageError naming what there is; the caller adds the file.
HiddenActivation activation_named(const std::string& name);
/// The first of the names above.
std::string activation_name(HiddenActivation kind);

/// x ← σ(x) and slope ← σ'(x), entry by entry. The vjp is a product with the slope, which costs little more here, where
/// both share their exponentials, and much there.
void activate(HiddenActivation kind, MatrixFRef x, MatrixFRef slope);
/// The same bits of σ(x), without the slope.
void activate(HiddenActivation kind, MatrixFRef x);

}  // namespace wordsway
