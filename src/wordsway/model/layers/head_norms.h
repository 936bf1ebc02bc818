// Normalisation of queries and keys before they turn, head by head (Qwen3).
//
// qkv: [n, (H + 2G)w] as in layers/attention.h; every head of queries and of keys is normalised over its w columns, all
// of them with the same gain, [w].
#pragma once

#include "wordsway/model/layers/attention.h"
#include "wordsway/model/layers/layer_norm.h"

namespace wordsway {

/// What a forward pass keeps for the vjp.
struct HeadNormsTrace {
  LayerNormTrace queries;  // [n·H, w]
  LayerNormTrace keys;     // [n·G, w]
};

struct HeadNorms {
  LayerNorm queries, keys;

  Index parameters() const { return queries.parameters() + keys.parameters(); }

  /// In place; keeps no trace if none is given.
  void forward(const AttentionShape& shape, HeadNormsTrace* trace, MatrixFRef qkv) const;
  /// The cotangent of qkv before forward() from that of qkv after it, in place.
  void vjp(const AttentionShape& shape, const HeadNormsTrace& trace, MatrixFRef qkv_cotangent) const;
};

}  // namespace wordsway
