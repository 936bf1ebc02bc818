// Where the tokens of a text look, before and after one of them moves.
#pragma once

#include <optional>
#include <string>

#include "wordsway/audit/token_move.h"

namespace wordsway {

struct AttentionOptions {
  Index layer = 1;                  // 1 … L
  std::optional<Index> head = {};   // nothing: the mean of all
  std::optional<Index> token = {};  // to be moved
  MoveDirection direction = MoveDirection::kAttract;
  Radius radius = {};
  std::uint64_t seed = 1;
};

struct AttentionResult {
  Matrix before;                // [n, n], row j: where token j looks
  std::optional<Matrix> after;  // when a token was moved
};

/// Throws UsageError when the layer, head or token is not there.
AttentionResult attention_change(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x,
                                 const AttentionOptions& options);

}  // namespace wordsway
