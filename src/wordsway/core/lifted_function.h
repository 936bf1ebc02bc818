// A smooth function of Δ written as f(Δ) = h(L Δ): L linear and costly, h nonlinear and cheap.
//
// Every objective of wordsway has this form, and it is what makes them fast to optimise: the points of a line search
// lie in the plane of two vectors whose images under L are known, so they need h alone. An iteration of the ascent
// costs one L and one Lᵀ, however many step lengths it tries.
//
// Where several tokens move, Δ is made of blocks, one move after the other, and so is its image: an ascent may then
// turn each block by an angle of its own and still needs no new image.
//
// Δ: [d], lifted: [q].
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway {

class LiftedFunction {
 public:
  virtual ~LiftedFunction() = default;

  virtual Index dimension() const = 0;    // d
  virtual Index lifted_size() const = 0;  // q

  /// Into how many blocks of equal size Δ and its image fall: block t of LΔ is linear in block t of Δ alone.
  virtual Index blocks() const { return 1; }

  /// lifted = L Δ.
  virtual void lift(ConstVectorRef delta, VectorRef lifted) const = 0;

  /// gradient = Lᵀ lifted_gradient.
  virtual void pull_back(ConstVectorRef lifted_gradient, VectorRef gradient) const = 0;

  /// h(lifted); with `lifted_gradient` (resized to q) also ∇h there. `lifted` must be an image L Δ: where the images do
  /// not fill R^q, any gradient with the right pull-back will do.
  virtual double evaluate(ConstVectorRef lifted, Vector* lifted_gradient) const = 0;

  /// f(Δ), and its gradient (size d) when asked for. A convenience: lift, evaluate, pull back.
  /// Throws DataError unless Δ has d coordinates; lift, evaluate and pull_back take sizes on trust.
  double operator()(ConstVectorRef delta, Vector* gradient = nullptr) const;

  /// f at several Δ, one in each row: [k], and the gradients, [k, d], when asked for. As given here it evaluates one
  /// after the other, which is as fast as one product for all where L is a matrix that fits the caches. Throws
  /// DataError unless every Δ has d coordinates.
  virtual Vector values(ConstMatrixRef deltas, Matrix* gradients = nullptr) const;

 protected:
  void check_coordinates(Index given) const;
};

}  // namespace wordsway
