#include "wordsway/core/lifted_function.h"

namespace wordsway {

double LiftedFunction::operator()(ConstVectorRef delta, Vector* gradient) const {
  Matrix lifted(1, lifted_size());
  lift(delta.transpose(), lifted);
  const Vector image = lifted.row(0).transpose();
  if (gradient == nullptr) return evaluate(image, nullptr);
  Vector lifted_gradient(lifted_size());
  const double value = evaluate(image, &lifted_gradient);
  Matrix result(1, dimension());
  pull_back(lifted_gradient.transpose(), result);
  *gradient = result.row(0).transpose();
  return value;
}

}  // namespace wordsway
