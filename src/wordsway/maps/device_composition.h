// Δ ↦ g(⟨φ(X^i(Δ)), ψ_1⟩, ⟨φ(X^i(Δ)), ψ_2⟩, …) where a device evaluates the inner products. They are submitted as one
// request (core/device_function.h), so that they share the computation of φ and wait once. g is computed on the CPU.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "wordsway/core/device_function.h"
#include "wordsway/maps/feature_map.h"

namespace wordsway {

/// L is the identity, as for DeviceFunction. A token stands for one ψ, as the handler knows it.
template <typename Token>
class DeviceComposition final : public LiftedFunction {
 public:
  /// `owner` owns `handler` and what it needs. Moves have d numbers in `blocks` blocks.
  DeviceComposition(std::shared_ptr<const void> owner, const BatchHandler& handler, std::vector<Token> tokens,
                    OuterFunction g, Index d, Index blocks = 1)
      : owner_(std::move(owner)),
        handler_(handler),
        tokens_(std::move(tokens)),
        g_(std::move(g)),
        d_(d),
        blocks_(blocks) {}

  Index dimension() const override { return d_; }
  Index lifted_size() const override { return d_; }
  Index blocks() const override { return blocks_; }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }

  Vector values(ConstMatrixRef deltas, Matrix* gradients) const override {
    check_coordinates(deltas.cols());
    const auto count = static_cast<Index>(tokens_.size()), rows = deltas.rows();
    const bool with_gradients = gradients != nullptr;
    Matrix inners(rows, count), slopes(with_gradients ? rows * count : 0, d_);
    std::vector<MoveRequest<Token>> moves;
    for (Index r = 0; r < rows; ++r)
      for (Index q = 0; q < count; ++q)
        moves.push_back({tokens_[static_cast<size_t>(q)], deltas.row(r).data(), &inners(r, q),
                         with_gradients ? slopes.row(r * count + q).data() : nullptr});
    submit(handler_, &moves);
    Vector found(rows);
    if (with_gradients) gradients->resize(rows, d_);
    std::vector<double> by_inner(with_gradients ? tokens_.size() : 0);
    for (Index r = 0; r < rows; ++r) {
      found[r] = g_({inners.row(r).data(), tokens_.size()}, by_inner);
      if (with_gradients)
        gradients->row(r) =
            Eigen::Map<const Eigen::RowVectorXd>(by_inner.data(), count) * slopes.middleRows(r * count, count);
    }
    return found;
  }

  double evaluate(ConstVectorRef delta, Vector* gradient) const override {
    Matrix row;
    const double value = values(delta.transpose(), gradient != nullptr ? &row : nullptr)[0];
    if (gradient != nullptr) *gradient = row.row(0).transpose();
    return value;
  }

 private:
  std::shared_ptr<const void> owner_;
  const BatchHandler& handler_;
  std::vector<Token> tokens_;
  OuterFunction g_;
  Index d_, blocks_;
};

}  // namespace wordsway
