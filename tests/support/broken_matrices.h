// Deferred matrices with one mistake each, to show that the tests of their law notice it.
#pragma once

#include "wordsway/random/deferred_matrix.h"

namespace wordsway::test {

/// Forgets what earlier answers say about a fresh one: y = (I − LLᵀ) g.
class WithoutKnownPart final : public DeferredMatrix {
 public:
  using DeferredMatrix::DeferredMatrix;

 private:
  Vector known_part(const Vector&, const Vector& fresh) const override { return -fresh; }
};

/// Leaves a random stand-in next to what is known: y = g + L(Zᵀr).
class WithoutProjection final : public DeferredMatrix {
 public:
  using DeferredMatrix::DeferredMatrix;

 private:
  Vector known_part(const Vector& known, const Vector&) const override { return known; }
};

/// Draws at the wrong scale.
class WrongScale final : public DeferredMatrix {
 public:
  WrongScale(const Stream& stream, Index rows, Index columns, double scale)
      : DeferredMatrix(stream, rows, columns, 1.1 * scale) {}
};

}  // namespace wordsway::test
