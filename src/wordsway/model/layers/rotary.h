// Rotary positions (Su et al. 2021): queries and keys turn with their place in the text, so that scores depend on
// distances.
//
//   columns c and c + w/2 of a head turn by the angle p·θ^(−2c/w) at position p
//
// Angles are computed in float32, as the models were trained.
#pragma once

#include "wordsway/model/layers/attention.h"

namespace wordsway {

class Rotary {
 public:
  /// For heads of `width` columns and positions 0 ... positions − 1. Throws DataError unless the width is even and θ is
  /// positive.
  Rotary(Index width, double theta, Index positions);

  /// Turns queries and keys of qkv, [n, (H + 2G)w], every text from position 0 on.
  void turn(const AttentionShape& shape, const AttentionMask& mask, MatrixFRef qkv) const;
  /// The inverse, which is the vjp too.
  void turn_back(const AttentionShape& shape, const AttentionMask& mask, MatrixFRef qkv) const;
  /// One row of qkv, at a position.
  void turn_row(const AttentionShape& shape, Index position, float* row) const;
  /// Turns w columns back from a position.
  void turn_head_back(Index position, float* head) const;

 private:
  void turn_heads(Index heads, Index position, float sign, float* row) const;
  void turn_rows(const AttentionShape& shape, const AttentionMask& mask, float sign, MatrixFRef qkv) const;

  Index half_;
  MatrixF cosines_, sines_;  // [positions, w/2]
};

}  // namespace wordsway
