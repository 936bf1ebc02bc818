// The engine's layers written down in double from their definitions: the oracle of the layer tests.
#pragma once

#include <functional>

#include "support/matrices.h"
#include "wordsway/model/layers/attention.h"
#include "wordsway/model/layers/feed_forward.h"
#include "wordsway/model/layers/head_norms.h"
#include "wordsway/model/layers/layer_norm.h"

namespace wordsway::test {

using MatrixFunction = std::function<Matrix(const Matrix&)>;

Linear random_linear(Index in, Index out, unsigned seed);

double activation_reference(ActivationKind kind, double x);
Matrix layer_norm_reference(const LayerNorm& norm, const Matrix& x);
Matrix linear_reference(const Linear& linear, const Matrix& x);

/// What an Attention is made of, its bias by bucket as a plain table of 32 rows.
struct ReferenceAttention {
  AttentionShape shape;
  std::optional<Index> window = {};
  Matrix bias_table = {};
  bool causal = false;
  NormaliserSpec normaliser = {};
};
Matrix attention_reference(const Matrix& qkv, const ReferenceAttention& of, const AttentionMask& mask);
/// P_head.
Matrix probabilities_reference(const Matrix& qkv, const ReferenceAttention& of, const AttentionMask& mask, Index head);
/// The bucket of 32 that a key `distance` before its query is in.
Index bucket_reference(Index distance);
/// Queries and keys normalised, head by head.
Matrix head_norms_reference(const HeadNorms& norms, const Matrix& qkv, const AttentionShape& shape);
/// Queries and keys turned.
Matrix rotary_reference(const Matrix& qkv, const AttentionShape& shape, const AttentionMask& mask, double theta);
/// The perceptron without its residual.
Matrix feed_forward_reference(const FeedForward& layer, const Matrix& x);

/// The gradient of ⟨f(x), cotangent⟩ by central differences.
Matrix vjp_by_differences(const MatrixFunction& f, const Matrix& x, const Matrix& cotangent, double step = 1e-5);

}  // namespace wordsway::test
