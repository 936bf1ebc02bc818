// hidden_states[0]: word vector (+ position vector, + token type vector), normalised where the model does so.
//
//   x_j = LN(words[id_j] + positions[p_j] + token_types[t_j])    words: [V, d], positions: [P, d], token_types: [T, d]
//
// There is no vjp: ids are not differentiable, and the rest of wordsway moves x itself.
#pragma once

#include <optional>
#include <span>

#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/products/packed_weights.h"

namespace wordsway {

struct Embedding {
  PackedWeights words;
  MatrixF positions;    // no rows where the model has none
  MatrixF token_types;  // no rows where the model has none
  std::optional<LayerNorm> norm;
  Index padding_id = 0;
  /// BERT counts positions from 0. RoBERTa counts from padding_id + 1 over the tokens that are not padding, and gives
  /// padding the position padding_id.
  bool positions_skip_padding = false;

  Index parameters() const;

  /// [n, d]. No token types means type 0 for all. Throws DataError on an id outside the table, on more tokens than
  /// there are positions, and on none at all.
  MatrixF forward(std::span<const int> ids, std::span<const int> types = {}) const;

  /// Row j of forward() for texts that have each of these ids there and no padding before it: [ids, d], type 0. Throws
  /// DataError on an id or a row that the model does not have.
  MatrixF at_row(std::span<const int> ids, Index j) const;

 private:
  void check_length(Index tokens) const;
  void check_ids(std::span<const int> ids) const;
  void check(std::span<const int> ids, std::span<const int> types) const;
};

}  // namespace wordsway
