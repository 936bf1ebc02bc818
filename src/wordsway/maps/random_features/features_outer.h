// Δ ↦ g(⟨φ(X^i(Δ)), ψ_1⟩, …, ⟨φ(X^i(Δ)), ψ_q⟩) of random features: one pass through the layers for all ψ.
#pragma once

#include <vector>

#include "wordsway/maps/random_features/features_functions.h"

namespace wordsway {

class FeaturesOuter final : public FeaturesFunction {
 public:
  /// Throws DataError unless every ψ has the features' shape.
  FeaturesOuter(const FeaturesView& view, std::vector<Matrix> psis, OuterFunction g);

 private:
  double read_out(const Vector& z, Vector* gradient) const override;

  std::vector<Matrix> psis_;  // each [k, 1]
  OuterFunction g_;
};

}  // namespace wordsway
