// Random attention features: φ(X) = P X with P_jm = f(s_jm)/Σ_m f(s_jm), s_jm = x_jᵀ W x_m/√d.
//
// One implementation for every f (normaliser.h); a member of the family is a file in maps/ that names its f.
// Bombari & Mondelli (ICML 2024), equation (4) for the softmax. Derivation of the fast forms: docs/theory.md.
//
// X: [n, d] tokens, W: [d, d], φ: [n, d].
#pragma once

#include <memory>

#include "wordsway/maps/attention/normaliser.h"
#include "wordsway/maps/feature_map.h"
#include "wordsway/maps/map_registry.h"

namespace wordsway {

/// A handle on its weights: a copy is cheap and shares them.
class AttentionMap final : public FeatureMap {
 public:
  /// Throws DataError if W is not square or not finite, or if `normaliser` is null.
  AttentionMap(Matrix W, std::shared_ptr<const Normaliser> normaliser);

  std::unique_ptr<MappedSample> at(const Matrix& X) const override;
  void feature_rows(ConstMatrixRef samples, Index n, Index first, Index count, MatrixRef out) const override;
  Matrix features_reference(const Matrix& X) const override;
  Matrix weights() const override { return W(); }

  const Matrix& W() const { return *W_; }
  const Normaliser& normaliser() const { return *normaliser_; }

 private:
  std::shared_ptr<const Matrix> W_;
  std::shared_ptr<const Normaliser> normaliser_;
};

/// The inverse temperature β of the scores, 0 to 1e100, for the members of the family to which it makes a difference.
const Parameter& beta_parameter();

/// Makes f from the parameters it reads in the options.
using NormaliserMaker = std::function<std::shared_ptr<const Normaliser>(const MapOptions&)>;

/// The registry entry of a member of the family: its f, and the parameters of f.
MapEntry attention_entry(MethodNumber method, std::string summary, std::string description,
                         std::vector<Parameter> parameters, NormaliserMaker normaliser);

}  // namespace wordsway
