// The direction in which a token attracts attention, after the proof idea of the paper's Theorem 3.
#pragma once

#include <Eigen/Cholesky>

#include "wordsway/model/transformer.h"

namespace wordsway {

/// Δ, [d], that raises the first layer's scores of every query j ≠ i that sees it, in all heads, on token i: the
/// minimiser of ‖A Δ − 1‖² + λ‖Δ‖², a row of A per query and head (Transformer::score_gradients), with λ =
/// `regularisation` times the mean square of A's singular values. Small λ raises all scores equally and little, large λ
/// by more and less equally; docs/models.md says what that does to the attention. Its length has no meaning: scale it.
/// x: hidden_states[0], [n, d]. Where there is no such query, as for a single token or the last of a decoder, the
/// result is the token's own row.
/// Throws UsageError when the token is not there or λ is not positive, DataError when x does not fit the model.
Vector attracting_direction(const Transformer& transformer, ConstMatrixFRef x, Index i, double regularisation = 1);

/// The directions of all tokens of a text, equal up to rounding. Where scores on a token do not depend on its place (no
/// rotary positions, no window, no order), rows of A are those of all tokens but the token's own, so that the largest
/// part of the work is done once. May be used from several threads at once.
class AttractingDirections {
 public:
  AttractingDirections(const Transformer& transformer, ConstMatrixFRef x, double regularisation = 1);
  /// Throws as attracting_direction does.
  Vector operator()(Index i) const;

 private:
  Vector solve(const Matrix& own, double shift, const Vector& wanted) const;

  const Transformer& transformer_;
  MatrixF x_;
  double regularisation_;
  bool shares_ = false;
  Matrix rows_;                // [heads·n, d] A of all queries
  Matrix gram_;                // AᵀA
  Vector sum_;                 // Aᵀ1
  Eigen::LLT<Matrix> factor_;  // of AᵀA + λ
  double shift_ = 0;           // that λ
};

}  // namespace wordsway
