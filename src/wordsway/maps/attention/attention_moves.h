// Attention when several tokens move: O(M·d·(n + d)) an evaluation for M of them instead of O(nd² + n²d).
//
// For a row j outside the set T of moved tokens only its scores on T move. With o_j the row's output without T and p_jt
// its weight on token t,
//
//     row_j − φ_j = Σ_t (p_jt − p⁰_jt)(x_t − o_j) + Σ_t p_jt Δ_t,
//
// every term of which vanishes with Δ. Rows in T are computed whole. One token has a form of its own, whose line
// searches are cheaper (attention_view.h); a test compares the two.
#pragma once

#include "wordsway/maps/attention/attention_sample.h"

namespace wordsway {

/// Data that all functions of a set of tokens share. Immutable; owned by the view and its functions together.
///
/// M tokens; rows of [n, M] and [n, d] matrices that belong to moved tokens are 0, but for those of scores.
class MovedTokens {
 public:
  /// The tokens have passed check_tokens.
  MovedTokens(std::shared_ptr<const AttentionState> sample, std::vector<Index> tokens);

  const AttentionState& sample() const { return *sample_; }
  const Normaliser& normaliser() const { return sample_->map().normaliser(); }
  Index count() const { return static_cast<Index>(tokens_.size()); }  // M
  Index token(Index t) const { return tokens_[static_cast<size_t>(t)]; }
  bool moves(Index j) const { return moves_[static_cast<size_t>(j)]; }

  const Matrix& X() const { return X_; }                      // [M, d] of the moved tokens
  const Matrix& row_scores() const { return row_scores_; }    // [n, M] s⁰_jt
  const Matrix& own_scores() const { return own_scores_; }    // [M, n] s⁰_tm
  const Vector& row_masses() const { return row_masses_; }    // [n] of the row without T
  const Matrix& row_weights() const { return row_weights_; }  // [n, M] p⁰_jt
  const Matrix& others() const { return others_; }            // [n, d] o_j

  /// Computes the weights on T of the rows outside T for scores [n, M] and, unless `slopes` is null, f'(s_jt) over the
  /// row's mass.
  void attend_rows(const Matrix& scores, Matrix& weights, Matrix* slopes) const;

 private:
  void remove_tokens_from_rows();
  void recompute_row(Index j);

  std::shared_ptr<const AttentionState> sample_;
  std::vector<Index> tokens_;
  std::vector<bool> moves_;  // [n]
  Matrix X_, row_scores_, own_scores_, row_weights_, others_;
  Vector row_masses_;
};

/// The view of these tokens. Its Δ is [M·d].
std::unique_ptr<TokenView> make_attention_moves(std::shared_ptr<const MovedTokens> tokens);
/// Makes the view of tokens that have passed check_tokens.
std::unique_ptr<TokenView> make_attention_moves(std::shared_ptr<const AttentionState> sample,
                                                std::vector<Index> tokens);

}  // namespace wordsway
