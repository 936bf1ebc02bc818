#include "wordsway/model/layers/activation.h"

#include <algorithm>

#include "wordsway/core/error.h"
#include "wordsway/model/layers/elementary.h"

namespace wordsway {
namespace {

// Each kind gives the value and the slope at one float; the loop below is compiled once per kind and vectorised.
struct Point {
  float value;
  float slope;
};

struct Gelu {
  static Point at(float x) {
    const Normal normal_at = normal(x);
    return {x * normal_at.cdf, normal_at.cdf + x * normal_at.density};
  }
};

float sigmoid(float x) {
  return 1.f / (1.f + exp_float(std::min(-x, 87.f)));
}

struct GeluTanh {
  // (1 + tanh u)/2 = sigmoid(2u); kSlope = 2√(2/π).
  static constexpr float kSlope = 1.59576912f, kCubic = 0.044715f;
  static Point at(float x) {
    const float s = sigmoid(kSlope * (x + kCubic * x * x * x));
    return {x * s, s + x * s * (1.f - s) * kSlope * (1.f + 3.f * kCubic * x * x)};
  }
};

struct Relu {
  static Point at(float x) { return {x > 0.f ? x : 0.f, x > 0.f ? 1.f : 0.f}; }
};

struct Silu {
  static Point at(float x) {
    const float s = sigmoid(x);
    return {x * s, s + x * s * (1.f - s)};
  }
};

template <typename Kind>
void activate_rows(MatrixFRef x, MatrixFRef slope) {
  for (Index row = 0; row < x.rows(); ++row) {
    float* __restrict value = x.row(row).data();
    float* __restrict slopes = slope.row(row).data();
    for (Index j = 0; j < x.cols(); ++j) {
      const Point point = Kind::at(value[j]);
      value[j] = point.value;
      slopes[j] = point.slope;
    }
  }
}

}  // namespace

HiddenActivation activation_named(const std::string& name) {
  if (name == "gelu") return HiddenActivation::kGelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return HiddenActivation::kGeluTanh;
  if (name == "relu") return HiddenActivation::kRelu;
  if (name == "silu" || name == "swish") return HiddenActivation::kSilu;
  throw UsageError("unknown activation '" + name +
                   "'; there are: gelu, gelu_new, gelu_pytorch_tanh, relu, silu, swish");
}

void activate(HiddenActivation kind, MatrixFRef x, MatrixFRef slope) {
  ensure(x.rows() == slope.rows() && x.cols() == slope.cols(), "an activation keeps the shape");
  switch (kind) {
    case HiddenActivation::kGelu:
      return activate_rows<Gelu>(x, slope);
    case HiddenActivation::kGeluTanh:
      return activate_rows<GeluTanh>(x, slope);
    case HiddenActivation::kRelu:
      return activate_rows<Relu>(x, slope);
    case HiddenActivation::kSilu:
      return activate_rows<Silu>(x, slope);
  }
}

}  // namespace wordsway
