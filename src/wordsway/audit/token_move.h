// Moving one token of a text in a model's embedding space: in which direction, and how far.
//
// x: hidden_states[0], [n, d]; Δ: [d].
#pragma once

#include <optional>
#include <string>

#include "wordsway/model/model_map.h"
#include "wordsway/random/stream.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {

/// The version of this search for moves. Raise it if the same settings and seed give others.
inline constexpr int kMoveMethod = 2;

/// attract: attracts every query of the first layer to the token (model/attract.h), the idea of the proof of the
/// paper's Theorem 3. noise: Gaussian. ascent: maximises the change of the last layer, or of another requested output.
enum class MoveDirection { kAttract, kNoise, kAscent };

/// Throws UsageError on another name than attract, noise, ascent.
MoveDirection parse_direction(const std::string& name);
std::string to_string(MoveDirection direction);

/// Finds a move Δ of the radius's length. Random numbers come from `stream`; `search`, apart from its radius, and
/// `output` are for ascent. Throws UsageError if there is no such token.
Vector token_move(std::shared_ptr<const Transformer> transformer, const MatrixF& x, Index token,
                  MoveDirection direction, const Radius& radius, const Stream& stream,
                  const SensitivityOptions& search = {}, const std::optional<ModelOutput>& output = {});

/// x with Δ added to one row.
MatrixF with_moved_token(const MatrixF& x, Index token, const Vector& delta);

}  // namespace wordsway
