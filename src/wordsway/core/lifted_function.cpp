#include "wordsway/core/lifted_function.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

void LiftedFunction::check_coordinates(Index given) const {
  if (given != dimension()) throw DataError(fmt::format("Δ must have {} coordinates; got {}", dimension(), given));
}

Vector LiftedFunction::values(ConstMatrixRef deltas, Matrix* gradients) const {
  check_coordinates(deltas.cols());
  Vector values(deltas.rows()), gradient;
  if (gradients != nullptr) gradients->resize(deltas.rows(), deltas.cols());
  for (Index k = 0; k < deltas.rows(); ++k) {
    values[k] = (*this)(deltas.row(k).transpose(), gradients != nullptr ? &gradient : nullptr);
    if (gradients != nullptr) gradients->row(k) = gradient.transpose();
  }
  return values;
}

double LiftedFunction::operator()(ConstVectorRef delta, Vector* gradient) const {
  check_coordinates(delta.size());
  Vector lifted(lifted_size());
  lift(delta, lifted);
  if (gradient == nullptr) return evaluate(lifted, nullptr);
  Vector lifted_gradient;
  const double value = evaluate(lifted, &lifted_gradient);
  gradient->resize(dimension());
  pull_back(lifted_gradient, *gradient);
  return value;
}

}  // namespace wordsway
