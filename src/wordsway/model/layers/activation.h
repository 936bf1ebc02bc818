// The nonlinearity of a feed-forward layer, entry by entry.
#pragma once

#include <string>

#include "wordsway/model/float_matrix.h"

namespace wordsway {

enum class Activation {
  kGelu,      // x·Φ(x)                                    "gelu"
  kGeluTanh,  // x/2·(1 + tanh(√(2/π)(x + 0.044715 x³)))   "gelu_new", "gelu_pytorch_tanh"
  kRelu,      // max(x, 0)                                 "relu"
  kSilu,      // x/(1 + e^-x)                              "silu", "swish"
};

/// From the name a config.json uses. Throws UsageError naming what there is; the caller adds the file.
Activation activation_named(const std::string& name);

/// y = σ(x), entry by entry; x and y have the same shape and may be the same matrix.
void activate(Activation kind, ConstMatrixFRef x, MatrixFRef y);

/// cotangent ← cotangent ∘ σ'(x), in place.
void activate_vjp(Activation kind, ConstMatrixFRef x, MatrixFRef cotangent);

}  // namespace wordsway
