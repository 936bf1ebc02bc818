// The attention of a text's tokens, before and after one of them moves.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

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

/// The attention of one text.
struct TextAttention : AttentionResult {
  std::string text;
  std::vector<std::string> pieces;
};

/// Throws UsageError when the layer, head or token does not exist.
AttentionResult attention_change(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x,
                                 const AttentionOptions& options);

/// x with the token of the options moved as they say. Throws UsageError when it does not exist.
MatrixF with_move(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x,
                  const AttentionOptions& options);

// All layers and heads together.

/// The attention of a model that a user chose.
struct AttentionPart {
  AttentionRange range;
  bool mean = false;  // of the heads: one matrix for each layer

  /// The shape of the array for a text of n tokens: [layers, heads, n, n].
  std::vector<Index> shape(Index n) const;
};

/// `layer` is "all", "last" or a number from 1; `head` is "all", "mean" or a number from 0. Throws UsageError on other
/// values.
AttentionPart parse_attention(const std::string& layer, const std::string& head, const Transformer& transformer);

/// Calls visit(values) with the array layer after layer, [heads, n, n] each, from one forward. Throws DataError when a
/// number is not finite.
void for_each_attention_layer(const Transformer& transformer, const MatrixF& x, const AttentionPart& part,
                              const std::function<void(std::span<const float> values)>& visit);

/// Writes the float32 array, as .npy, from one forward; the memory it takes is that of one layer. The file appears
/// complete or not at all. Throws DataError when a number is not finite, FileError when the file cannot be written.
void write_attention(const std::filesystem::path& path, const Transformer& transformer, const MatrixF& x,
                     const AttentionPart& part);

}  // namespace wordsway
