// Attention at one X: what all its tokens share. Scores are made and used in blocks of rows; no n×n matrix is kept.
#pragma once

#include "wordsway/maps/attention/attention_map.h"

namespace wordsway {

/// The attention of X, computed on the host or on a device.
struct Attended {
  Matrix features;     // [n, d] φ(X)
  Vector masses;       // [n] of whole rows
  Vector term_norms;   // [n] Σ_m P_jm‖x_m‖: what row j of φ would measure if its terms did not cancel
  Vector query_norms;  // [n] ‖a_j‖, a_j = Wᵀx_j/√d: how fast s_ji moves with Δ
  Vector mean_query;   // [d]
  Matrix queries;      // [n, d] the rows a_j, for n ≤ d only
  Matrix gram;         // of the queries: [n, n] for n ≤ d, else [d, d]
};

/// Immutable. The sample, its views and their functions hold it together, so each may outlive the others.
class AttentionState {
 public:
  /// Throws DataError when X does not fit the weights, is not finite or too large.
  AttentionState(AttentionMap map, const Matrix& X);
  /// Takes attention that was computed elsewhere, for an X that has passed check_sample.
  AttentionState(AttentionMap map, const Matrix& X, Attended attended);

  const AttentionMap& map() const { return map_; }
  const Matrix& features() const { return attended_.features; }
  double noise_norm() const { return kNoiseShare * attended_.term_norms.norm(); }
  const Matrix& X() const { return X_; }
  Index n() const { return X_.rows(); }
  Index d() const { return X_.cols(); }

  const Vector& masses() const { return attended_.masses; }
  const Vector& query_norms() const { return attended_.query_norms; }
  double squared_query_norm() const { return squared_query_norm_; }  // ‖A‖², A of the rows a_j, from above
  const std::vector<Vector>& starts() const { return starts_; }

  /// Scores of row j on all tokens: [n].
  Vector scores(Index j) const;
  /// Scores of row j on all tokens but `without`, in order: [n − 1].
  Vector scores_without(Index j, Index without) const;

 private:
  void find_starts();

  AttentionMap map_;
  Matrix X_;
  Attended attended_;  // without the queries and their Gram matrix
  double squared_query_norm_ = 0;
  std::vector<Vector> starts_;
};

class AttentionSample final : public MappedSample {
 public:
  explicit AttentionSample(std::shared_ptr<const AttentionState> state) : state_(std::move(state)) {}

  const Matrix& X() const override { return state_->X(); }
  const Matrix& features() const override { return state_->features(); }
  std::unique_ptr<TokenView> token(Index i) const override;
  std::unique_ptr<TokenView> tokens(std::span<const Index> moved) const override;
  double noise_norm() const override { return state_->noise_norm(); }
  MoveRange move_range() const override { return {kShortestMove * state_->X().norm(), kLongestMove}; }

 private:
  std::shared_ptr<const AttentionState> state_;
};

}  // namespace wordsway
