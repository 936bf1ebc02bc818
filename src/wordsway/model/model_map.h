// A transformer as a feature map: X = hidden_states[0], φ(X) = the features of a readout (readout.h): the hidden state
// of a chosen layer, its last row, the pooled vector, or the logits of the next word less their mean.
//
//   change(Δ) = ‖φ(X^i(Δ)) − φ(X)‖²      inner(Δ, ψ) = ⟨φ(X^i(Δ)), ψ⟩      gradients by one vector-Jacobian product
//
// L is the identity (lifted = Δ): nothing about a deep model is linear in Δ. Work that does not depend on the changed
// token is skipped: layers above the chosen one, the first layer's projections of the other tokens, and their
// gradients.
//
// The interface is double, the engine float32. Differences are taken in double between float32 features, which carry a
// relative rounding error of about 1e-6 (4e-7 after one layer of MiniLM, 1e-6 after six, against the same weights in
// float64). So √change below 1e-6·‖φ(X)‖ is noise, change(0) included, and a gradient is right to about 1e-5 relative.
#pragma once

#include <memory>

#include "wordsway/maps/feature_map.h"
#include "wordsway/model/readout.h"
#include "wordsway/model/transformer.h"

namespace wordsway {

/// Entries of X, and moves, beyond which squares in a LayerNorm leave the range of a float (3e38): it would then give
/// its bias, whatever its input.
inline constexpr double kLongestModelMove = 1e15;

/// Version of the search in models. Raise it when the same settings and seed give other values.
inline constexpr int kModelSearchMethod = 5;

/// A handle on the model: a copy is cheap and shares it.
class ModelMap final : public FeatureMap {
 public:
  /// Throws UsageError when there is no model, no such layer, or the model does not have the output after that layer.
  /// A mask fixes n.
  ModelMap(std::shared_ptr<const Transformer> transformer, ModelOutput output, AttentionMask mask = {});

  std::unique_ptr<MappedSample> at(const Matrix& X) const override;
  /// One plain forward pass, which keeps nothing for a sample.
  Matrix features_reference(const Matrix& X) const override;
  /// Throws UsageError: a model's weights are many matrices, and already on disk.
  Matrix weights() const override;
  /// Bytes that measuring one token of an [n, d] sample holds at once, weights included.
  double sample_bytes(Index n, Index d) const;

  const Transformer& transformer() const { return *transformer_; }
  const AttentionMask& mask() const { return mask_; }
  const ModelOutput& output() const { return output_; }

  const Readout& readout() const { return *output_.readout; }
  /// The text as readouts take it.
  ReadoutText text() const { return {*transformer_, mask_, output_.first_pooled}; }

  /// φ from the hidden state of the chosen layer.
  Matrix features_of(const MatrixF& hidden) const;
  /// The cotangent of that hidden state from one of φ.
  MatrixF features_vjp(const MatrixF& hidden, const Matrix& cotangent) const;

 private:
  std::shared_ptr<const Transformer> transformer_;
  ModelOutput output_;
  AttentionMask mask_;
};

}  // namespace wordsway
