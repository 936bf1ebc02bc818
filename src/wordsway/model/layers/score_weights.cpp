#include "wordsway/model/layers/score_weights.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "wordsway/core/error.h"
#include "wordsway/model/layers/elementary.h"

namespace wordsway {
namespace {

struct Point {
  float value;
  float slope;
};

// f and f' at one score; `unit` divides the scores of the functions that are homogeneous, so that nothing overflows.
struct Sigmoid {
  static constexpr bool kHomogeneous = false;
  static Point at(float s, float /*unit*/) {
    const float tail = exp_float(-std::fabs(s)), whole = 1.f / (1.f + tail);
    return {s < 0.f ? tail * whole : whole, tail * whole * whole};
  }
};

struct Relu {
  static constexpr bool kHomogeneous = true;
  static float size(float s) { return std::max(s, 0.f); }
  static Point at(float s, float unit) { return {s > 0.f ? s * unit : 0.f, s > 0.f ? unit : 0.f}; }
};

struct Square {
  static constexpr bool kHomogeneous = true;
  static float size(float s) { return s > kHiddenScore ? std::fabs(s) : 0.f; }
  static Point at(float s, float unit) {
    const float scaled = s > kHiddenScore ? s * unit : 0.f;
    return {scaled * scaled, 2.f * scaled * unit};
  }
};

// 1/the size of the largest score; 0 if no score counts.
template <typename Function>
float unit_of(Index count, const float* scores) {
  if constexpr (!Function::kHomogeneous)
    return 1.f;
  else {
    float largest = 0;
    for (Index m = 0; m < count; ++m) largest = std::max(largest, Function::size(scores[m]));
    return largest >= FLT_MIN ? 1.f / largest : 0.f;
  }
}

template <typename Function>
float weigh(Index count, float* scores, float* slopes) {
  const float unit = unit_of<Function>(count, scores);
  if (slopes != nullptr)
    for (Index m = 0; m < count; ++m) slopes[m] = Function::at(scores[m], unit).slope;
  for (Index m = 0; m < count; ++m) scores[m] = Function::at(scores[m], unit).value;
  const float sum = Eigen::Map<const RowF>(scores, count).sum();
  return sum >= FLT_MIN ? 1.f / sum : 0.f;
}

}  // namespace

float weigh_scores(NormaliserKind kind, Index count, float* scores, float* slopes) {
  switch (kind) {
    case NormaliserKind::kSigmoid:
      return weigh<Sigmoid>(count, scores, slopes);
    case NormaliserKind::kRelu:
      return weigh<Relu>(count, scores, slopes);
    case NormaliserKind::kSquare:
      return weigh<Square>(count, scores, slopes);
    default:
      break;
  }
  throw InternalError("trained models have no such normaliser, and attention.cpp computes the softmax");
}

}  // namespace wordsway
