// How much one moved token changes every layer of a model.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/audit/token_move.h"
#include "wordsway/core/record.h"
#include "wordsway/model/model_map.h"

namespace wordsway {

/// The relative change of hidden_states[0 … L] when Δ is added to one row of x, [L + 1].
Vector layer_changes(const Transformer& transformer, const MatrixF& x, Index token, const Vector& delta);

struct LayerOptions {
  /// An output with one vector for a text (its layer is ignored): shown as well, and maximised by ascent. If it is the
  /// last row, the last row of every layer is shown instead of all rows.
  std::optional<ModelOutput> vector = {};
  Radius radius = {};
  int draws = 10;  // of noise; the other directions have but one
  std::uint64_t seed = 1;
};

/// Over draws; a single one has no deviation.
struct LayerChanges {
  MoveDirection direction;
  Vector mean, deviation;  // [L + 1], and one more for the pooled vector or the logits, less their mean,
                           // where asked for
};

/// Rows of results, one for each layer: direction, layer, token, piece, change, deviation. What comes after the last
/// layer is called `vector`.
std::vector<Record> rows_of(const LayerChanges& changes, Index layers, const std::string& vector, Index token,
                            const std::string& piece);

/// Makes the rows from the changes themselves, for any name of a direction.
std::vector<Record> rows_of(const std::string& direction, const Vector& mean, const Vector& deviation, Index layers,
                            const std::string& vector, Index token, const std::string& piece);

/// The relative change of hidden_states[0 … L] from one text to another, [L + 1]; with `vector`, as in LayerOptions,
/// one more. Tokens that both texts begin or end with are compared with each other, those between in their order, and a
/// row that the other text does not have with 0, as in audit/changed_text.h. Neither text may be empty.
Vector text_changes(const Transformer& transformer, std::span<const int> before, std::span<const int> after,
                    const std::optional<ModelOutput>& vector = {});

/// How many leading tokens two texts share.
Index shared_begin(std::span<const int> a, std::span<const int> b);

/// Moves the token in one direction, as often as it takes. Throws UsageError when the token is not there.
LayerChanges measure_layers(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x, Index token,
                            MoveDirection direction, const LayerOptions& options);

}  // namespace wordsway
