// Rotary positions (Su et al. 2021): queries and keys are rotated by their positions in the text, so that scores depend
// on distances.
//
//   columns c and c + w/2 of a head turn by the angle p·f_c at position p,   f_c = θ^(−2c/w) or slower (rope.h)
//
// Frequencies and angles are computed in float32, as the models were trained.
#pragma once

#include "wordsway/model/layers/attention.h"

namespace wordsway {

/// θ^(−2c/w) for c in 0 ... w/2 − 1. Throws DataError unless the width is even and θ is positive.
RowF rotary_frequencies(Index width, double theta);

class Rotary {
 public:
  /// For heads of twice as many columns as there are frequencies, and positions 0 ... positions − 1.
  Rotary(const RowF& frequencies, Index positions);
  /// With the frequencies of θ. Throws what rotary_frequencies throws.
  Rotary(Index width, double theta, Index positions);

  /// Turns queries and keys of qkv, [n, (H + 2G)w], every text from position `first` on: that many rows before its own
  /// may be missing.
  void turn(const AttentionShape& shape, const AttentionMask& mask, MatrixFRef qkv, Index first = 0) const;
  /// The inverse, which is the vjp too.
  void turn_back(const AttentionShape& shape, const AttentionMask& mask, MatrixFRef qkv, Index first = 0) const;
  /// Cosines and sines of every angle, [positions, w/2].
  const MatrixF& cosines() const { return cosines_; }
  const MatrixF& sines() const { return sines_; }

  /// Turns w columns back from a position.
  void turn_head_back(Index position, float* head) const;

 private:
  void turn_heads(Index heads, Index position, float sign, float* row) const;
  void turn_rows(const AttentionShape& shape, const AttentionMask& mask, float sign, MatrixFRef qkv, Index first) const;

  Index half_;
  MatrixF cosines_, sines_;  // [positions, w/2]
};

}  // namespace wordsway
