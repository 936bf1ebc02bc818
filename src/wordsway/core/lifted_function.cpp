#include "wordsway/core/lifted_function.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

double LiftedFunction::operator()(ConstVectorRef delta, Vector* gradient) const {
  if (delta.size() != dimension())
    throw DataError(fmt::format("Δ must have {} coordinates; got {}", dimension(), delta.size()));
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
