// How far one moved token changes every layer of a model.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/token_move.h"
#include "wordsway/model/model_map.h"

namespace wordsway {

/// The relative change of hidden_states[0 … L] when Δ is added to one row of x, [L + 1].
Vector layer_changes(const Transformer& transformer, const MatrixF& x, Index token, const Vector& delta);

struct LayerOptions {
  /// The vector of the text is looked at too (its layer is not), and is what ascent changes most.
  std::optional<ModelOutput> pooled = {};
  Radius radius = {};
  int draws = 10;  // of noise; the other directions have but one
  std::uint64_t seed = 1;
};

/// Over draws; a single one has no deviation.
struct LayerChanges {
  MoveDirection direction;
  Vector mean, deviation;  // [L + 1], and one more for the vector of the text where asked for
};

/// Moves the token in one direction, as often as it takes. Throws UsageError when the token is not there.
LayerChanges measure_layers(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x, Index token,
                            MoveDirection direction, const LayerOptions& options);

}  // namespace wordsway
