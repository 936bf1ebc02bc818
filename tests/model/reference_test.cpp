#include "model/reference.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace wordsway::test {

MatrixF random_matrix(Index rows, Index columns, unsigned seed, float scale) {
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal(0, scale);
  return MatrixF::NullaryExpr(rows, columns, [&] { return normal(engine); });
}

RowF random_row(Index size, unsigned seed, float scale) {
  return random_matrix(1, size, seed, scale).row(0);
}

Linear random_linear(Index in, Index out, unsigned seed) {
  return {PackedWeights(random_matrix(out, in, seed, 1.f / std::sqrt(static_cast<float>(in)))),
          random_row(out, seed + 1, 0.1f)};
}

double activation_reference(HiddenActivation kind, double x) {
  switch (kind) {
    case HiddenActivation::kGelu:
      return 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    case HiddenActivation::kGeluTanh:
      return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case HiddenActivation::kRelu:
      return std::max(x, 0.0);
    case HiddenActivation::kSilu:
      return x / (1 + std::exp(-x));
  }
  return 0;
}

Matrix layer_norm_reference(const LayerNorm& norm, const Matrix& x) {
  Matrix y(x.rows(), x.cols());
  for (Index row = 0; row < x.rows(); ++row) {
    const Eigen::RowVectorXd centred = x.row(row).array() - x.row(row).mean();
    const double variance = centred.squaredNorm() / static_cast<double>(x.cols());
    y.row(row) = centred.array() / std::sqrt(variance + norm.epsilon) * norm.gain.cast<double>().array() +
                 norm.bias.cast<double>().array();
  }
  return y;
}

Matrix linear_reference(const Linear& linear, const Matrix& x) {
  Matrix y = x * linear.weight.rows(0, linear.weight.outputs()).cast<double>().transpose();
  y.rowwise() += linear.bias.cast<double>();
  return y;
}

namespace {

// The key and value head of a query head, counted off group by group.
Index kv_head_reference(const AttentionShape& shape, Index head) {
  Index kv_head = 0;
  for (Index left = shape.heads / shape.kv_heads; head >= left; head -= left) ++kv_head;
  return kv_head;
}

}  // namespace

Matrix probabilities_reference(const Matrix& qkv, const AttentionShape& shape, const AttentionMask& mask, Index head) {
  const Index n = qkv.rows(), width = shape.width, keys = (shape.heads + kv_head_reference(shape, head)) * width;
  Matrix P = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double score = qkv.row(i).segment(head * width, width).dot(qkv.row(j).segment(keys, width));
      if (mask.visible(j)) P(i, j) = std::exp(score / std::sqrt(static_cast<double>(width)));
    }
    P.row(i) /= P.row(i).sum();
  }
  return P;
}

Matrix attention_reference(const Matrix& qkv, const AttentionShape& shape, const AttentionMask& mask) {
  const Index width = shape.width;
  Matrix context(qkv.rows(), shape.heads * width);
  for (Index h = 0; h < shape.heads; ++h) {
    const Index values = (shape.heads + shape.kv_heads + kv_head_reference(shape, h)) * width;
    context.middleCols(h * width, width) = probabilities_reference(qkv, shape, mask, h) * qkv.middleCols(values, width);
  }
  return context;
}

Matrix feed_forward_reference(const FeedForward& layer, const Matrix& x) {
  const Matrix before = linear_reference(layer.up, x);
  const Matrix after = before.unaryExpr([&](double v) { return activation_reference(layer.activation, v); });
  return x + linear_reference(layer.down, after);
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

double relative_error(const Matrix& got, const Matrix& expected) {
  if (got.rows() != expected.rows() || got.cols() != expected.cols() || !got.allFinite()) return INFINITY;
  return (got - expected).cwiseAbs().maxCoeff() / expected.cwiseAbs().maxCoeff();
}

TEST(LayerReference, DifferencesOfASquareAreTwiceTheArgument) {
  const Matrix x{{1, -2}, {0.5, 3}};
  const Matrix gradient =
      vjp_by_differences([](const Matrix& m) { return m.cwiseProduct(m).eval(); }, x, Matrix::Ones(2, 2));
  EXPECT_LT(relative_error(gradient, Matrix(2 * x)), 1e-8);
}

}  // namespace wordsway::test
