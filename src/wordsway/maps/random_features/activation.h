// The activations σ of random features. Each is one file in maps/activations that defines its value, its slope, and its
// moments for the theory; the build fills the registry from these files (cmake/WordswayRegistry.cmake).
#pragma once

#include <optional>
#include <string>

#include "wordsway/core/matrix.h"
#include "wordsway/core/registry.h"
#include "wordsway/maps/random_features/activation_table.h"

namespace wordsway {

/// Second moments of a neuron's pre-activation u and of its change δ when the input moves (dual_kernel.h).
struct PairMoments {
  double square;  // E[u²]
  double cross;   // E[u δ]
  double change;  // E[δ²]
};

struct Activation {
  double (*value)(double z);  // σ(z)
  double (*slope)(double z);  // σ'(z); one of the two slopes where σ has a kink
  /// Evaluates both for many z at once, where most of the time is spent; `slopes` may be nullptr.
  void (*evaluate)(const double* z, Index size, double* values, double* slopes);
  double lipschitz;  // the largest |σ'|
  double variance;  // β_σ: deep features draw their weights from N(0, β_σ/columns), see docs/theory_random_features.md

  /// The moments of σ(u) and σ(u + δ) − σ(u) in closed form. Without it they come from quadrature, which needs a smooth
  /// σ.
  PairMoments (*dual_kernel)(const PairMoments& in) = nullptr;
  /// E[σ'(u)⁴]/E[σ'(u)²]² for u ~ N(0, square); without it, also from quadrature.
  double (*slope_kurtosis)(double square) = nullptr;
};

using ActivationRegistry = Registry<Activation>;
extern template class Registry<Activation>;  // every activation would compile it again

/// All activations. Built on first use; thread-safe.
const ActivationRegistry& activation_registry();

/// Throws UsageError naming those there are.
const Activation& find_activation(const std::string& name);

/// The kind of an activation in the table (maps/random_features/activation_table.h), for devices; nothing for one that
/// is not there.
std::optional<ActivationKind> kind_of(const Activation& activation);

/// values = σ(z), and slopes = σ'(z) where given; all of z's size. In parallel over fixed blocks.
void activate(const Activation& activation, ConstVectorRef z, VectorRef values, Vector* slopes);

}  // namespace wordsway
