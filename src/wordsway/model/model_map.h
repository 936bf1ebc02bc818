// A transformer as a feature map: X = hidden_states[0], φ(X) = the hidden state of a chosen layer, its last row, the
// pooled vector, or the logits of the next word less their mean: a constant that all logits have in common says nothing
// about the word.
//
//   change(Δ) = ‖φ(X^i(Δ)) − φ(X)‖²      inner(Δ, ψ) = ⟨φ(X^i(Δ)), ψ⟩      gradients by one vector-Jacobian product
//
// L is the identity (lifted = Δ): nothing about a deep model is linear in Δ. What a changed token does not cause is not
// done: layers above the chosen one, the first layer's projections of the other tokens, and their gradients.
//
// The interface is double, the engine float32. Differences are taken in double between float32 features, which carry a
// relative rounding error of about 1e-6 (4e-7 after one layer of MiniLM, 1e-6 after six, against the same weights in
// float64). So √change below 1e-6·‖φ(X)‖ is noise, change(0) included, and a gradient is right to about 1e-5 relative.
#pragma once

#include <memory>

#include "wordsway/maps/feature_map.h"
#include "wordsway/model/transformer.h"

namespace wordsway {

/// Entries of X, and moves, beyond which squares in a LayerNorm leave the range of a float (3e38): it would then give
/// its bias, whatever its input.
inline constexpr double kLongestModelMove = 1e15;

/// Which way of searching models this is: to be raised when the same settings and seed give other values.
inline constexpr int kModelSearchMethod = 5;

/// What of a hidden state is looked at.
enum class OutputKind {
  kRows,    // every row, [n, d]
  kLast,    // the last row alone, [1, d]
  kPooled,  // the model's sentence chain on top of it, one row
  kLogits,  // of the word after the text, [1, V]
};

/// Which output of a model is looked at.
struct ModelOutput {
  Index layer;  // 0 ... layers: hidden_states[layer]
  OutputKind kind = OutputKind::kRows;
  Index first_pooled = 0;  // tokens before it are a prompt that the chain leaves out

  bool is_pooled() const { return kind == OutputKind::kPooled; }
  /// Whether a text has one row, however long it is.
  bool is_vector() const { return kind != OutputKind::kRows; }
};

/// The output itself from the hidden state of the chosen layer, of one text: of logits, as the model gives them.
MatrixF output_of_hidden(const Transformer& transformer, const ModelOutput& output, ConstMatrixFRef hidden,
                         const AttentionMask& mask = {});

/// φ from an output: logits less their mean, others as they are.
Matrix features_of_output(const ModelOutput& output, ConstMatrixFRef found);

/// A handle on the model: a copy is cheap and shares it.
class ModelMap final : public FeatureMap {
 public:
  /// Throws UsageError when there is no model, no such layer, or no head that predicts the next word where logits are
  /// asked for. The mask, where given, fixes n.
  ModelMap(std::shared_ptr<const Transformer> transformer, ModelOutput output, AttentionMask mask = {});

  std::unique_ptr<Sample> at(const Matrix& X) const override;
  /// One plain forward, without what a sample keeps.
  Matrix features_reference(const Matrix& X) const override;
  /// Throws UsageError: a model's weights are many matrices, and already on disk.
  Matrix weights() const override;
  /// Bytes that measuring one token of an [n, d] sample holds at once, weights included.
  double sample_bytes(Index n, Index d) const;

  const Transformer& transformer() const { return *transformer_; }
  const AttentionMask& mask() const { return mask_; }
  const ModelOutput& output() const { return output_; }

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
