#include "wordsway/model/layers/activation.h"

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

struct Tanh {
  // Near 0, 2·sigmoid(2x) − 1 would cancel.
  static Point at(float x) {
    const float square = x * x;
    const float series = x * (1.f + square * (-1.f / 3 + square * (2.f / 15 - square * (17.f / 315))));
    const float wide = 2.f * sigmoid(2.f * x) - 1.f;
    const float value = square < 0.04f ? series : wide;
    return {value, 1.f - value * value};
  }
};

struct Identity {
  static Point at(float x) { return {x, 1.f}; }
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

template <typename Kind>
void activate_rows(MatrixFRef x) {
  for (Index row = 0; row < x.rows(); ++row) {
    float* value = x.row(row).data();
    for (Index j = 0; j < x.cols(); ++j) value[j] = Kind::at(value[j]).value;
  }
}

// Calls body with the kind as a type.
template <typename Body>
void with_kind(ActivationKind kind, const Body& body) {
  switch (kind) {
    case ActivationKind::kGelu:
      return body(Gelu{});
    case ActivationKind::kGeluTanh:
      return body(GeluTanh{});
    case ActivationKind::kRelu:
      return body(Relu{});
    case ActivationKind::kSilu:
      return body(Silu{});
    case ActivationKind::kTanh:
      return body(Tanh{});
    case ActivationKind::kIdentity:
      return body(Identity{});
    default:
      throw InternalError("layers of models have no such activation");
  }
}

}  // namespace

void activate(ActivationKind kind, MatrixFRef x, MatrixFRef slope) {
  ensure(x.rows() == slope.rows() && x.cols() == slope.cols(), "an activation keeps the shape");
  with_kind(kind, [&](auto type) { activate_rows<decltype(type)>(x, slope); });
}

void activate(ActivationKind kind, MatrixFRef x) {
  with_kind(kind, [&](auto type) { activate_rows<decltype(type)>(x); });
}

}  // namespace wordsway
