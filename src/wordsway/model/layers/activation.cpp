#include "wordsway/model/layers/activation.h"

#include <algorithm>

#include "wordsway/core/error.h"
#include "wordsway/model/layers/elementary.h"

namespace wordsway {
namespace {

// Each kind is a value and a derivative of one float; the loops below are compiled once per kind and vectorised.
struct Gelu {
  static float value(float x) { return x * normal(x).cdf; }
  static float slope(float x) {
    const Normal at = normal(x);
    return at.cdf + x * at.density;
  }
};

float sigmoid(float x) {
  return 1.f / (1.f + exp_float(std::min(-x, 87.f)));
}

struct GeluTanh {
  // (1 + tanh u)/2 = sigmoid(2u); kSlope = 2√(2/π).
  static constexpr float kSlope = 1.59576912f, kCubic = 0.044715f;
  static float value(float x) { return x * sigmoid(kSlope * (x + kCubic * x * x * x)); }
  static float slope(float x) {
    const float s = sigmoid(kSlope * (x + kCubic * x * x * x));
    return s + x * s * (1.f - s) * kSlope * (1.f + 3.f * kCubic * x * x);
  }
};

struct Relu {
  static float value(float x) { return x > 0.f ? x : 0.f; }
  static float slope(float x) { return x > 0.f ? 1.f : 0.f; }
};

struct Silu {
  static float value(float x) { return x * sigmoid(x); }
  static float slope(float x) {
    const float s = sigmoid(x);
    return s + x * s * (1.f - s);
  }
};

template <typename Kind>
void activate_rows(ConstMatrixFRef x, MatrixFRef y) {
  for (Index row = 0; row < x.rows(); ++row) {
    const float* from = x.row(row).data();
    float* to = y.row(row).data();
    for (Index j = 0; j < x.cols(); ++j) to[j] = Kind::value(from[j]);
  }
}

template <typename Kind>
void vjp_rows(ConstMatrixFRef x, MatrixFRef cotangent) {
  for (Index row = 0; row < x.rows(); ++row) {
    const float* from = x.row(row).data();
    float* to = cotangent.row(row).data();
    for (Index j = 0; j < x.cols(); ++j) to[j] *= Kind::slope(from[j]);
  }
}

// Calls body with the type of `kind`, so that the choice is made once per matrix and not once per entry.
template <typename Body>
void dispatch(Activation kind, const Body& body) {
  switch (kind) {
    case Activation::kGelu:
      return body(Gelu{});
    case Activation::kGeluTanh:
      return body(GeluTanh{});
    case Activation::kRelu:
      return body(Relu{});
    case Activation::kSilu:
      return body(Silu{});
  }
}

}  // namespace

Activation activation_named(const std::string& name) {
  if (name == "gelu") return Activation::kGelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return Activation::kGeluTanh;
  if (name == "relu") return Activation::kRelu;
  if (name == "silu" || name == "swish") return Activation::kSilu;
  throw UsageError("unknown activation '" + name +
                   "'; there are: gelu, gelu_new, gelu_pytorch_tanh, relu, silu, swish");
}

void activate(Activation kind, ConstMatrixFRef x, MatrixFRef y) {
  ensure(x.rows() == y.rows() && x.cols() == y.cols(), "an activation keeps the shape");
  dispatch(kind, [&](auto tag) { activate_rows<decltype(tag)>(x, y); });
}

void activate_vjp(Activation kind, ConstMatrixFRef x, MatrixFRef cotangent) {
  ensure(x.rows() == cotangent.rows() && x.cols() == cotangent.cols(), "an activation keeps the shape");
  dispatch(kind, [&](auto tag) { vjp_rows<decltype(tag)>(x, cotangent); });
}

}  // namespace wordsway
