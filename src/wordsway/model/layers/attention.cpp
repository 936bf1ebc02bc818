#include "wordsway/model/layers/attention.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/model/layers/elementary.h"
#include "wordsway/model/products/gemm.h"

namespace wordsway {
namespace {

constexpr float kHidden = -1e30f;
constexpr Index kRowBlock = 256;       // its scores of one head, [256, 512] floats, stay in the L2 cache
constexpr Index kVjpRowBlock = 128;    // as two such matrices do
constexpr Index kGap = 16;             // between rows: columns of 512 rows would share a few sets of the L1 cache
constexpr Index kWorthAThread = 4096;  // n·d: starting a thread takes about 20 µs

// The columns of one head in qkv or its cotangent.
template <typename Matrix>
struct Head {
  Matrix q, k, v;
};

template <typename Qkv>
auto head_of(Qkv& qkv, const AttentionShape& shape, Index head) {
  const auto part = [&](Index begin) { return qkv.middleCols(begin, shape.width); };
  return Head<decltype(part(0))>{part(shape.query_begin(head)), part(shape.key_begin(head)),
                                 part(shape.value_begin(head))};
}

float scale_of_scores(const AttentionShape& shape) {
  return 1.f / std::sqrt(static_cast<float>(shape.width));
}

void check_columns(ConstMatrixFRef matrix, const char* what, Index rows, Index columns) {
  if (matrix.rows() != rows || matrix.cols() != columns)
    throw DataError(fmt::format("{} must be {} x {}; got {} x {}", what, rows, columns, matrix.rows(), matrix.cols()));
}

void check(ConstMatrixFRef qkv, const AttentionShape& shape, const AttentionMask& mask) {
  shape.check();
  check_columns(qkv, "queries, keys and values", qkv.rows(), shape.qkv_columns());
  mask.check(qkv.rows());
}

// Scores of the keys to exponentials, relative to the largest, those of other keys to 0; returns 1/their sum.
float exponentials(float* scores, KeyRange keys, Index n) {
  std::fill(scores, scores + keys.begin, 0.f);
  std::fill(scores + keys.end, scores + n, 0.f);
  Eigen::Map<RowF> row(scores + keys.begin, keys.end - keys.begin);
  const float top = row.maxCoeff();
  for (Index j = keys.begin; j < keys.end; ++j) scores[j] = exp_float(scores[j] - top);
  return 1.f / row.sum();
}

// E and scale such that diag(scale)·E are the probabilities of rows begin ... begin + E.rows() of one head.
template <typename Columns>
Eigen::VectorXf unscaled_probabilities(const Head<Columns>& head, float score_scale, const AttentionMask& mask,
                                       Index begin, MatrixFRef E) {
  gemm_on_this_thread(Transpose::kPlain, Transpose::kTransposed, score_scale, head.q.middleRows(begin, E.rows()),
                      head.k, 0, E);
  if (!mask.all_visible()) E.rowwise() += mask.key_bias();
  Eigen::VectorXf scale(E.rows());
  for (Index row = 0; row < E.rows(); ++row) {
    scale[row] = exponentials(E.row(row).data(), mask.keys_of(begin + row, E.cols()), E.cols());
  }
  return scale;
}

template <typename Columns>
void probabilities(const Head<Columns>& head, float score_scale, const AttentionMask& mask, Index begin, MatrixFRef P) {
  const Eigen::VectorXf scale = unscaled_probabilities(head, score_scale, mask, begin, P);
  for (Index row = 0; row < P.rows(); ++row) P.row(row) *= scale[row];
}

// The vjp of the row-wise softmax, P = diag(scale)·E: dS = P ∘ (dP − rowsum(P ∘ dP)), where G = diag(scale)·dP is given
// and overwritten.
void softmax_vjp(ConstMatrixFRef E, const Eigen::VectorXf& scale, MatrixFRef G) {
  for (Index row = 0; row < E.rows(); ++row) {
    const float inner = E.row(row).dot(G.row(row)) * scale[row];
    G.row(row).array() = E.row(row).array() * (G.row(row).array() - inner);
  }
}

// `first` says that no other head has added to the cotangents of its keys and values yet.
void head_vjp(ConstMatrixFRef qkv, const AttentionShape& shape, Index h, bool first, const AttentionMask& mask,
              ConstMatrixFRef context_cotangent, MatrixFRef qkv_cotangent) {
  const auto head = head_of(qkv, shape, h);
  auto cotangent = head_of(qkv_cotangent, shape, h);
  const float score_scale = scale_of_scores(shape);
  const Index n = qkv.rows(), width = head.q.cols();
  const Blocks rows{n, kVjpRowBlock};
  MatrixF E(std::min(n, kVjpRowBlock), n + kGap), S(std::min(n, kVjpRowBlock), n + kGap);
  for (Index block = 0; block < rows.count(); ++block) {
    const Index begin = rows.begin(block), m = rows.length(block);
    auto e = E.topLeftCorner(m, n);
    auto s = S.topLeftCorner(m, n);
    const float keep = first && block == 0 ? 0.f : 1.f;  // dK and dV add up over heads and blocks
    const Eigen::VectorXf scale = unscaled_probabilities(head, score_scale, mask, begin, e);
    const MatrixF out = scale.asDiagonal() * context_cotangent.block(begin, h * width, m, width);
    gemm_on_this_thread(Transpose::kTransposed, Transpose::kPlain, 1, e, out, keep, cotangent.v);
    gemm_on_this_thread(Transpose::kPlain, Transpose::kTransposed, 1, out, head.v, 0, s);
    softmax_vjp(e, scale, s);
    gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, score_scale, s, head.k, 0,
                        cotangent.q.middleRows(begin, m));
    gemm_on_this_thread(Transpose::kTransposed, Transpose::kPlain, score_scale, s, head.q.middleRows(begin, m), keep,
                        cotangent.k);
  }
}

}  // namespace

AttentionMask::AttentionMask(std::span<const int> visible) : key_bias_(static_cast<Index>(visible.size())) {
  for (Index j = 0; j < key_bias_.size(); ++j) key_bias_[j] = visible[static_cast<size_t>(j)] != 0 ? 0.f : kHidden;
  if (count(key_bias_.size()) == 0)
    throw DataError("the attention mask hides every token; at least one must be visible");
  if (count(key_bias_.size()) == key_bias_.size()) key_bias_.resize(0);
}

Index AttentionMask::count(Index n) const {
  return all_visible() ? n : (key_bias_.array() == 0).count();
}

void AttentionMask::check(Index n) const {
  if (!all_visible() && key_bias_.size() != n) {
    throw DataError(fmt::format("the attention mask covers {} tokens, but there are {}", key_bias_.size(), n));
  }
}

void AttentionShape::check() const {
  if (heads < 1 || kv_heads < 1 || width < 1 || heads % kv_heads != 0)
    throw DataError(
        fmt::format("attention needs heads of at least one column, in groups of one size; got {} heads, {} of keys, {} "
                    "columns each",
                    heads, kv_heads, width));
}

void attention_forward(ConstMatrixFRef qkv, const AttentionShape& shape, const AttentionMask& mask,
                       MatrixFRef context) {
  check(qkv, shape, mask);
  check_columns(context, "the context", qkv.rows(), shape.context_columns());
  const Index n = qkv.rows(), width = shape.width;
  const Blocks rows{n, kRowBlock};
  parallel_if(context.size() >= kWorthAThread, shape.heads * rows.count(), [&](Index item) {
    const Index h = item / rows.count(), begin = rows.begin(item % rows.count()), m = rows.length(item % rows.count());
    const auto head = head_of(qkv, shape, h);
    MatrixF P(m, n);
    const Eigen::VectorXf scale = unscaled_probabilities(head, scale_of_scores(shape), mask, begin, P);
    auto out = context.block(begin, h * width, m, width);
    gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, 1, P, head.v, 0, out);
    for (Index row = 0; row < m; ++row) out.row(row) *= scale[row];  // on d/H columns instead of n
  });
}

// Heads that share keys and values run one after the other, since they add to the same cotangents.
void attention_vjp(ConstMatrixFRef qkv, const AttentionShape& shape, const AttentionMask& mask,
                   ConstMatrixFRef context_cotangent, MatrixFRef qkv_cotangent) {
  check(qkv, shape, mask);
  check_columns(context_cotangent, "the cotangent of the context", qkv.rows(), shape.context_columns());
  check_columns(qkv_cotangent, "the cotangent of queries, keys and values", qkv.rows(), shape.qkv_columns());
  const Index group = shape.heads / shape.kv_heads;
  parallel_if(context_cotangent.size() >= kWorthAThread, shape.kv_heads, [&](Index kv_head) {
    for (Index h = kv_head * group; h < (kv_head + 1) * group; ++h)
      head_vjp(qkv, shape, h, h == kv_head * group, mask, context_cotangent, qkv_cotangent);
  });
}

MatrixF attention_probabilities(ConstMatrixFRef qkv, const AttentionShape& shape, const AttentionMask& mask,
                                Index head) {
  check(qkv, shape, mask);
  if (head < 0 || head >= shape.heads)
    throw UsageError(fmt::format("head {} does not exist; there are heads 0 to {}", head, shape.heads - 1));
  MatrixF P(qkv.rows(), qkv.rows());
  probabilities(head_of(qkv, shape, head), scale_of_scores(shape), mask, 0, P);
  return P;
}

}  // namespace wordsway
