// The activations σ of random features: relu, tanh, gelu, identity.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct Activation {
  std::string name;
  double (*value)(double z);                                                      // σ(z)
  double (*slope)(double z);                                                      // σ'(z); relu: 0 at 0
  void (*evaluate)(const double* z, Index size, double* values, double* slopes);  // both; slopes may be nullptr
  double lipschitz;                                                               // the largest |σ'|
  double variance;  // β_σ: weights N(0, β_σ/width) keep the features' mean square over layers (DESIGN: deep maps)
};

/// Throws UsageError naming those there are.
const Activation& find_activation(const std::string& name);
std::vector<std::string> activation_names();

/// values = σ(z), and slopes = σ'(z) where given; all of z's size. In parallel over fixed blocks.
void activate(const Activation& activation, ConstVectorRef z, VectorRef values, Vector* slopes);

}  // namespace wordsway
