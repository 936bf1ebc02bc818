// The head of a decoder: which word comes next?
//
//   logits = h·Dᵀ       h: [n, d], D: [V, d] (the word vectors where tied), logits: [n, V]
#pragma once

#include <optional>

#include "wordsway/model/config.h"
#include "wordsway/model/weights.h"

namespace wordsway {

struct NextWordHead {
  PackedWeights table;  // D; empty where it is the table of word vectors

  Index parameters() const { return table.size(); }

  MatrixF logits(ConstMatrixFRef hidden, const PackedWeights& words) const;
  /// The cotangent of h from that of the logits.
  MatrixF vjp(ConstMatrixFRef cotangent, const PackedWeights& words) const;
};

/// The Jensen-Shannon divergence of softmax(first) and softmax(second) in bits, from 0 (the same) to 1 (nothing in
/// common): (KL(p‖m) + KL(q‖m))/2 where m = (p + q)/2. Computed in double. Throws DataError unless they have the same
/// length, at least 1.
double jensen_shannon_divergence(ConstRowFRef first, ConstRowFRef second);
/// Its gradient with respect to `first`. Throws as it does.
RowF jensen_shannon_gradient(ConstRowFRef first, ConstRowFRef second);

/// The head of a folder: tied, or lm_head.weight; without a value if the folder has none.
std::optional<NextWordHead> build_next_word_head(const ModelConfig& config, const Weights& weights);

}  // namespace wordsway
