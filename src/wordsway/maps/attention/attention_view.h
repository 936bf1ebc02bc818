// Attention when one token moves: O(nd + d²) an evaluation instead of O(nd² + n²d).
//
// For a row j ≠ i only its score on token i moves, s_ji = s⁰_ji + a_j·Δ. With p_j its weight on token i, o_j the row's
// output without token i and e_j = x_i − o_j,
//
//     row_j − φ_j = (p_j − p⁰_j) e_j + p_j Δ,
//
// every term of which vanishes with Δ, so small changes lose no digits. Row i is computed whole.
#pragma once

#include "wordsway/maps/attention/attention_sample.h"

namespace wordsway {

/// Data that all functions of one token share. Immutable; owned by the view and its functions together.
class AttentionToken {
 public:
  /// Throws UsageError when i is not a token of the sample.
  AttentionToken(std::shared_ptr<const AttentionState> sample, Index i);

  const AttentionState& sample() const { return *sample_; }
  Index index() const { return i_; }

  // Values at Δ = 0 for the rows j ≠ i; entry i of each is 0.
  const Vector& row_scores() const { return row_scores_; }    // s⁰_ji
  const Vector& row_masses() const { return row_masses_; }    // of the row without token i
  const Vector& row_weights() const { return row_weights_; }  // p⁰_j
  const Matrix& offsets() const { return offsets_; }          // row j is e_j
  const Vector& squared_offsets() const { return squared_offsets_; }
  /// [n] e_j is this times x_i − φ_j; 0 for row i, and for rows that had to be computed afresh without token i.
  const Vector& inverse_rests() const { return inverse_rests_; }

  // Row i itself.
  const Vector& own_scores() const { return own_scores_; }  // s⁰_im
  const Vector& own_slope() const { return own_slope_; }    // (W + Wᵀ)x_i/√d, the derivative of s_ii at Δ = 0

 private:
  void remove_token_from_rows();
  void recompute_row(Index j);

  std::shared_ptr<const AttentionState> sample_;
  Index i_;
  Vector row_scores_, row_masses_, row_weights_, squared_offsets_, inverse_rests_, own_scores_, own_slope_;
  Matrix offsets_;
};

class AttentionView final : public TokenView {
 public:
  explicit AttentionView(std::shared_ptr<const AttentionToken> token) : token_(std::move(token)) {}

  std::unique_ptr<LiftedFunction> change() const override;
  std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const override;
  std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const override;
  std::vector<Vector> starts() const override { return token_->sample().starts(); }
  std::optional<UpperBound> upper_bound(double radius) const override;

 private:
  std::shared_ptr<const AttentionToken> token_;
};

}  // namespace wordsway
