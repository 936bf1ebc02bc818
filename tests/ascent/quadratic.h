// A function whose maxima are known.
#pragma once

#include "wordsway/core/lifted_function.h"

namespace wordsway::test {

// f(Δ) = Δᵀ Q Δ + b·Δ, lifted by the identity.
class Quadratic final : public LiftedFunction {
 public:
  Quadratic(Matrix Q, Vector b) : Q_(std::move(Q)), b_(std::move(b)) {}
  Index dimension() const override { return b_.size(); }
  Index lifted_size() const override { return b_.size(); }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }
  double evaluate(ConstVectorRef x, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = 2 * Q_ * x + b_;
    return x.dot(Q_ * x) + b_.dot(x);
  }

 private:
  Matrix Q_;
  Vector b_;
};

}  // namespace wordsway::test
