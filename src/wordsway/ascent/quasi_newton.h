// The limited-memory BFGS two-loop recursion for maximisation, on a sphere: pairs are kept as ambient vectors and
// every direction is projected back to the tangent space by the caller.
#pragma once

#include <deque>

#include "wordsway/core/matrix.h"

namespace wordsway {

class QuasiNewton {
 public:
  explicit QuasiNewton(size_t memory) : memory_(memory) {}

  /// An ascent direction from the gradient: −H·g with H the approximate inverse Hessian.
  Vector direction(const Vector& gradient) const;

  /// Learns from a step and the change of the gradient over it; ignores pairs without the curvature of a maximum.
  void learn(const Vector& step, const Vector& gradient_change);

  void forget() { pairs_.clear(); }
  bool empty() const { return pairs_.empty(); }

 private:
  struct Pair {
    Vector step, change;
    double curvature;  // −step·change > 0
  };

  size_t memory_;
  std::deque<Pair> pairs_;
};

}  // namespace wordsway
