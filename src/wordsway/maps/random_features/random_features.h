// Random features, shallow and deep: φ_1 = σ(V_1 flat(X)), φ_l = σ(V_l φ_{l−1}), φ = φ_L. `rf` is L = 1.
//
// When token i moves, V_1 flat(X) moves by V_{1,i} Δ: that product is the costly linear part L of the lifted functions
// (core/lifted_function.h), everything after it is h.
//
// X: [n, d], V_1: [k, n·d] in token blocks, V_l: [k, k], φ: [k, 1].
#pragma once

#include <memory>
#include <vector>

#include "wordsway/maps/feature_map.h"
#include "wordsway/maps/random_features/activation.h"
#include "wordsway/maps/random_features/token_blocks.h"

namespace wordsway {

/// A handle on its weights: a copy is cheap and shares them.
class RandomFeatures final : public FeatureMap {
 public:
  using Layers = std::vector<std::shared_ptr<GaussianMatrix>>;

  /// `first` is V_1, `deeper` V_2 … V_L. Throws UsageError when one is missing, DataError unless V_l is [k, k].
  RandomFeatures(std::shared_ptr<TokenBlocks> first, Layers deeper, const Activation& activation);

  std::unique_ptr<MappedSample> at(const Matrix& X) const override;
  Matrix features_reference(const Matrix& X) const override;
  /// [V_1 V_2 … V_L] side by side: [k, n·d + (L − 1)k].
  Matrix weights() const override;
  std::optional<double> memory_bytes() const override;

  TokenBlocks& first() const { return *first_; }
  const Layers& deeper() const { return deeper_; }
  const Activation& activation() const { return activation_; }
  bool deeper_concurrent() const;

  /// A bound of how much the layers after the first can stretch a difference, and the probability that it fails.
  UpperBound deeper_stretch(double failure_probability) const;

 private:
  std::shared_ptr<TokenBlocks> first_;
  Layers deeper_;
  const Activation& activation_;
};

/// An upper bound on the operator norm of `matrix`: certified if possible, otherwise the Gaussian tail bound
/// scale·(√rows + √columns + t), which fails with probability at most exp(−t²/2) (Davidson & Szarek 2001, Theorem
/// II.13), with t chosen for `failure_probability`.
UpperBound operator_norm_bound(const GaussianMatrix& matrix, double failure_probability);

/// The tail bound for any [rows, columns] matrix of independent N(0, scale²) entries.
UpperBound gaussian_norm_bound(Index rows, Index columns, double scale, double failure_probability);

}  // namespace wordsway
