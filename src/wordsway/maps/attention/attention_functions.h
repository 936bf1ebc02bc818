// The two functions of Δ that attention offers for a token, as h(LΔ) (core/lifted_function.h).
//
// The image LΔ holds everything that is linear in Δ, in these segments:
//   row_shift [n]   a_j·Δ, by how much s_ji moves          offset_dot [n]   e_j·Δ
//   own_shift [n]   b_m·Δ, by how much s_im moves           delta [d]        Δ itself
//   curve     [d]   (W + Wᵀ)Δ/√d, for s_ii = s⁰_ii + own_slope·Δ + Δ·curve/2
#pragma once

#include "wordsway/maps/attention/attention_view.h"

namespace wordsway {

class AttentionFunction : public LiftedFunction {
 public:
  explicit AttentionFunction(std::shared_ptr<const AttentionToken> token)
      : token_(std::move(token)), n_(token_->sample().n()), d_(token_->sample().d()) {}

  Index dimension() const override { return d_; }
  Index lifted_size() const override { return 3 * n_ + 2 * d_; }
  void lift(ConstVectorRef delta, VectorRef lifted) const override;
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override;

 protected:
  // Positions of the segments.
  Index row_shift() const { return 0; }
  Index own_shift() const { return n_; }
  Index offset_dot() const { return 2 * n_; }
  Index delta() const { return 3 * n_; }
  Index curve() const { return 3 * n_ + d_; }

  /// Computes the weights p_j of token i in the rows j ≠ i and, unless `slopes` is null, their slopes by s_ji. Entry i
  /// is 0.
  void attend_rows(ConstVectorRef lifted, Eigen::ArrayXd& weights, Eigen::ArrayXd* slopes) const;

  /// Row i after the move.
  struct OwnRow {
    Eigen::ArrayXd weights, slopes;  // [n]
    Vector output;                   // [d]
  };
  OwnRow attend_own_row(ConstVectorRef lifted, bool with_slopes) const;

  /// Adds to `gradient` what `cotangent`·output contributes, for a row i computed with slopes.
  void pull_back_own_row(const OwnRow& row, ConstVectorRef lifted, const Vector& cotangent, Vector& gradient) const;

  std::shared_ptr<const AttentionToken> token_;
  Index n_, d_;
};

/// Δ ↦ ‖φ(X^i(Δ)) − φ(X)‖².
class AttentionChange final : public AttentionFunction {
 public:
  using AttentionFunction::AttentionFunction;
  double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const override;
};

/// Δ ↦ g(⟨φ(X^i(Δ)), ψ_1⟩, …, ⟨φ(X^i(Δ)), ψ_q⟩): one attention for all ψ. One more segment a ψ: psi_dot [n], ψ_j·Δ.
class AttentionOuter final : public AttentionFunction {
 public:
  /// Throws DataError when a ψ has another shape than the features.
  AttentionOuter(std::shared_ptr<const AttentionToken> token, std::vector<Matrix> psis, OuterFunction g);

  Index lifted_size() const override { return psi_dot(psis_.size()); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override;
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override;
  double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const override;

 private:
  Index psi_dot(size_t k) const { return (3 + static_cast<Index>(k)) * n_ + 2 * d_; }

  std::vector<Matrix> psis_;                // each [n, d]
  std::vector<Eigen::ArrayXd> offset_psi_;  // e_j·ψ_j
  std::vector<double> rows_at_zero_;        // Σ_{j≠i} φ_j·ψ_j
  OuterFunction g_;
};

}  // namespace wordsway
