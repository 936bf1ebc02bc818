#include "model/reference.h"

#include <cmath>
#include <complex>
#include <random>

#include <gtest/gtest.h>

namespace wordsway::test {

Linear random_linear(Index in, Index out, unsigned seed) {
  return {PackedWeights(random_matrix(out, in, seed, 1.f / std::sqrt(static_cast<float>(in)))),
          random_row(out, seed + 1, 0.1f)};
}

double activation_reference(ActivationKind kind, double x) {
  switch (kind) {
    case ActivationKind::kGelu:
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case ActivationKind::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case ActivationKind::kRelu:
      return std::max(x, 0.0);
    case ActivationKind::kSilu:
      return x / (1 + std::exp(-x));
    case ActivationKind::kTanh:
      return std::tanh(x);
    default:
      return x;
  }
}

Matrix layer_norm_reference(const LayerNorm& norm, const Matrix& x) {
  Matrix y(x.rows(), x.cols());
  for (Index row = 0; row < x.rows(); ++row) {
    const double mean = norm.centred ? x.row(row).mean() : 0;
    const Eigen::RowVectorXd centred = x.row(row).array() - mean;
    const double variance = centred.squaredNorm() / static_cast<double>(x.cols());
    y.row(row) = centred.array() / std::sqrt(variance + norm.epsilon) * norm.gain.cast<double>().array();
    if (norm.bias.size() > 0) y.row(row) += norm.bias.cast<double>();
  }
  return y;
}

Matrix linear_reference(const Linear& linear, const Matrix& x) {
  Matrix y = x * linear.weight.rows(0, linear.weight.outputs()).cast<double>().transpose();
  if (linear.bias.size() > 0) y.rowwise() += linear.bias.cast<double>();
  return y;
}

namespace {

// The key and value head of a query head, counted off group by group.
Index kv_head_reference(const AttentionShape& shape, Index head) {
  Index kv_head = 0;
  for (Index left = shape.heads / shape.kv_heads; head >= left; head -= left) ++kv_head;
  return kv_head;
}

double unscaled_weight_reference(NormaliserKind kind, double s) {
  switch (kind) {
    case NormaliserKind::kSoftmax:
      return std::exp(s);
    case NormaliserKind::kSigmoid:
      return 1 / (1 + std::exp(-s));
    case NormaliserKind::kRelu:
      return std::max(s, 0.0);
    case NormaliserKind::kSquare:
      return s * s;
    default:
      return 0;  // no trained model has it
  }
}

}  // namespace

Index bucket_reference(Index distance) {
  const Index first = distance < 0 ? 16 : 0, k = std::abs(distance);
  if (k < 8) return first + k;
  Index steps = 0;  // boundaries at 8·2^{m/2}, compared as squares
  while (steps < 7 && k * k >= 64 * (Index{2} << steps)) ++steps;
  return first + 8 + steps;
}

Matrix probabilities_reference(const Matrix& qkv, const ReferenceAttention& of, const AttentionMask& mask, Index head) {
  const AttentionShape& shape = of.shape;
  const Index n = qkv.rows(), width = shape.width, keys = (shape.heads + kv_head_reference(shape, head)) * width;
  Matrix P = Matrix::Zero(n, n);
  for (const RowRange& text : mask.texts(n)) {
    for (Index i = text.begin; i < text.end; ++i) {
      for (Index j = text.begin; j < text.end; ++j) {
        if (!mask.visible(j) || (of.causal && j > i) || (of.window && std::abs(i - j) > *of.window)) continue;
        double score = of.normaliser.beta *
                       qkv.row(i).segment(head * width, width).dot(qkv.row(j).segment(keys, width)) /
                       std::sqrt(static_cast<double>(width));
        if (of.bias_table.size() > 0) score += of.bias_table(bucket_reference(i - j), head);
        P(i, j) = unscaled_weight_reference(of.normaliser.kind, score);
      }
      if (P.row(i).sum() > 0) P.row(i) /= P.row(i).sum();
    }
  }
  return P;
}

Matrix attention_reference(const Matrix& qkv, const ReferenceAttention& of, const AttentionMask& mask) {
  const Index width = of.shape.width;
  Matrix context(qkv.rows(), of.shape.heads * width);
  for (Index h = 0; h < of.shape.heads; ++h) {
    const Index values = (of.shape.heads + of.shape.kv_heads + kv_head_reference(of.shape, h)) * width;
    context.middleCols(h * width, width) = probabilities_reference(qkv, of, mask, h) * qkv.middleCols(values, width);
  }
  return context;
}

Matrix head_norms_reference(const HeadNorms& norms, const Matrix& qkv, const AttentionShape& shape) {
  Matrix result = qkv;
  for (Index head = 0; head < shape.heads + shape.kv_heads; ++head) {
    const LayerNorm& norm = head < shape.heads ? norms.queries : norms.keys;
    result.middleCols(head * shape.width, shape.width) =
        layer_norm_reference(norm, qkv.middleCols(head * shape.width, shape.width));
  }
  return result;
}

Matrix rotary_reference(const Matrix& qkv, const AttentionShape& shape, const AttentionMask& mask, double theta) {
  Matrix turned = qkv;
  const Index half = shape.width / 2;
  for (const RowRange& text : mask.texts(qkv.rows()))
    for (Index row = text.begin; row < text.end; ++row)
      for (Index head = 0; head < shape.heads + shape.kv_heads; ++head)
        for (Index c = 0; c < half; ++c) {
          const Index a = head * shape.width + c, b = a + half;
          const std::complex<double> turn = std::polar(
              1.0, static_cast<double>(row - text.begin) * std::pow(theta, -static_cast<double>(c) / double(half)));
          const std::complex<double> after = std::complex<double>(qkv(row, a), qkv(row, b)) * turn;
          turned(row, a) = after.real();
          turned(row, b) = after.imag();
        }
  return turned;
}

Matrix feed_forward_reference(const FeedForward& layer, const Matrix& x) {
  const Matrix before = linear_reference(layer.up, x);
  const Matrix after = before.unaryExpr([&](double v) { return activation_reference(layer.activation, v); });
  if (!layer.gated) return linear_reference(layer.down, after);
  const Index f = layer.down.weight.inputs();
  return linear_reference(layer.down, after.leftCols(f).cwiseProduct(before.rightCols(f)));
}

Matrix vjp_by_differences(const MatrixFunction& f, const Matrix& x, const Matrix& cotangent, double step) {
  Matrix gradient(x.rows(), x.cols());
  for (Index i = 0; i < x.size(); ++i) {
    Matrix plus = x, minus = x;
    plus.data()[i] += step;
    minus.data()[i] -= step;
    gradient.data()[i] = ((f(plus) - f(minus)).array() * cotangent.array()).sum() / (2 * step);
  }
  return gradient;
}

TEST(LayerReference, DifferencesOfASquareAreTwiceTheArgument) {
  const Matrix x{{1, -2}, {0.5, 3}};
  const Matrix gradient =
      vjp_by_differences([](const Matrix& m) { return m.cwiseProduct(m).eval(); }, x, Matrix::Ones(2, 2));
  EXPECT_LT(relative_error(gradient, Matrix(2 * x)), 1e-8);
}

}  // namespace wordsway::test
