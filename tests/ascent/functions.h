// Functions for ascents that need no lift.
#pragma once

#include "wordsway/core/lifted_function.h"

namespace wordsway::test {

// f(Δ) = h(Δ): lifted by the identity.
class Unlifted : public LiftedFunction {
 public:
  explicit Unlifted(Index dimension) : dimension_(dimension) {}
  Index dimension() const override { return dimension_; }
  Index lifted_size() const override { return dimension_; }
  void lift(ConstVectorRef delta, VectorRef lifted) const override { lifted = delta; }
  void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const override { gradient = lifted_gradient; }

 private:
  Index dimension_;
};

// f(Δ) = Δᵀ Q Δ + b·Δ, whose maxima are known.
class Quadratic final : public Unlifted {
 public:
  Quadratic(Matrix Q, Vector b, Index blocks = 1)
      : Unlifted(b.size()), Q_(std::move(Q)), b_(std::move(b)), blocks_(blocks) {}
  Index blocks() const override { return blocks_; }
  double evaluate(ConstVectorRef x, Vector* gradient) const override {
    if (gradient != nullptr) *gradient = 2 * Q_ * x + b_;
    return x.dot(Q_ * x) + b_.dot(x);
  }

 private:
  Matrix Q_;
  Vector b_;
  Index blocks_;
};

}  // namespace wordsway::test
