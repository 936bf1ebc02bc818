#include "wordsway/model/layers/self_attention.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/model/products/gemm.h"

namespace wordsway {

void SelfAttention::check() const {
  const AttentionShape& shape = heads.shape;
  shape.check();
  if (qkv.weight.outputs() != shape.qkv_columns() || output.weight.inputs() != shape.context_columns())
    throw DataError(fmt::format(
        "attention of {} heads, {} of keys, {} columns each, needs projections to {} and from {}; got {} and {}",
        shape.heads, shape.kv_heads, shape.width, shape.qkv_columns(), shape.context_columns(), qkv.weight.outputs(),
        output.weight.inputs()));
  if (heads.bias && heads.bias->heads() != shape.heads)
    throw DataError(
        fmt::format("the relative bias is of {} heads, but there are {}", heads.bias->heads(), shape.heads));
  if (head_norms && (head_norms->queries.gain.size() != shape.width || head_norms->keys.gain.size() != shape.width))
    throw DataError(fmt::format("norms of queries and keys are of {} and {} columns, but heads have {}",
                                head_norms->queries.gain.size(), head_norms->keys.gain.size(), shape.width));
}

Index SelfAttention::parameters() const {
  return qkv.parameters() + output.parameters() + (head_norms ? head_norms->parameters() : 0);
}

void SelfAttention::project_rows(ConstMatrixFRef x, Index first, const AttentionMask& mask, HeadNormsTrace& norms,
                                 MatrixFRef projected) const {
  qkv.forward(x, projected);
  if (head_norms) head_norms->forward(heads.shape, &norms, projected);
  if (rotary) rotary->turn(heads.shape, mask, projected, first);
}

void SelfAttention::project(ConstMatrixFRef x, const AttentionMask& mask, SelfAttentionTrace& trace) const {
  trace.projected.resize(x.rows(), heads.shape.qkv_columns());
  project_rows(x, 0, mask, trace.head_norms, trace.projected);
}

void SelfAttention::project_from(ConstMatrixFRef x, Index first, const MatrixF& base, const AttentionMask& mask,
                                 SelfAttentionTrace& trace) const {
  trace.projected.resize(first + x.rows(), base.cols());
  trace.projected.topRows(first) = base.topRows(first);
  project_rows(x, first, mask, trace.head_norms, trace.projected.bottomRows(x.rows()));
}

void SelfAttention::project_row(ConstMatrixFRef x, Index position, SelfAttentionTrace& trace) const {
  HeadNormsTrace norms;
  project_rows(x, position, {}, norms, trace.projected.middleRows(position, 1));
  if (!head_norms) return;
  trace.head_norms.queries.replace_rows(position * heads.shape.heads, norms.queries);
  trace.head_norms.keys.replace_rows(position * heads.shape.kv_heads, norms.keys);
}

void SelfAttention::forward(ConstMatrixFRef projected, const AttentionMask& mask, ConstMatrixFRef residual,
                            MatrixFRef y) const {
  MatrixF context(y.rows(), heads.shape.context_columns());
  heads.forward(projected, mask, context);
  output.forward(context, y, plus(residual));
}

void SelfAttention::extend(ConstMatrixFRef x, ConstMatrixFRef residual, Index layer, KeyValueCache& cache,
                           MatrixFRef y) const {
  const AttentionShape& shape = heads.shape;
  MatrixF projected(x.rows(), shape.qkv_columns()), context(x.rows(), shape.context_columns());
  HeadNormsTrace norms;
  project_rows(x, cache.tokens(), {}, norms, projected);
  cache.next_rows(layer, x.rows()) = projected.rightCols(shape.kv_columns());
  heads.forward_last(projected.leftCols(shape.context_columns()), cache.rows(layer, x.rows()), context);
  output.forward(context, y, plus(residual));
}

MatrixF SelfAttention::vjp_to_projection(const SelfAttentionTrace& trace, const AttentionMask& mask,
                                         ConstMatrixFRef y_cotangent) const {
  MatrixF context(y_cotangent.rows(), heads.shape.context_columns());
  MatrixF result(y_cotangent.rows(), heads.shape.qkv_columns());
  output.vjp(y_cotangent, context);
  heads.vjp(trace.projected, mask, context, result);
  if (rotary) rotary->turn_back(heads.shape, mask, result, trace.projected.rows() - result.rows());
  if (head_norms) head_norms->vjp(heads.shape, trace.head_norms, result);
  return result;
}

std::vector<MatrixF> SelfAttention::probabilities(ConstMatrixFRef x, const AttentionMask& mask, Index first,
                                                  Index count) const {
  SelfAttentionTrace trace;
  project(x, mask, trace);
  std::vector<MatrixF> result;
  for (Index head = first; head < first + count; ++head)
    result.push_back(heads.probabilities(trace.projected, mask, head));
  return result;
}

// The score of query j is ⟨q_j, R N(k)⟩/√w, where N normalises the key and R turns it to the token's position: its
// gradient by the key's row is (Nᵀ Rᵀ q_j)·W_k/√w, where Nᵀ is the vjp of N.
MatrixF SelfAttention::score_gradients(ConstMatrixFRef x, Index token) const {
  const AttentionShape& shape = heads.shape;
  const Index n = x.rows(), width = shape.width;
  SelfAttentionTrace trace;
  project(x, {}, trace);
  MatrixF result(shape.heads * n, x.cols());
  const float scale = 1.f / std::sqrt(static_cast<float>(width));
  for (Index h = 0; h < shape.heads; ++h) {
    auto queries = trace.projected.middleCols(shape.query_begin(h), width);
    LayerNormTrace key;
    if (head_norms) key = trace.head_norms.keys.rows(token * shape.kv_heads + shape.kv_head(h), 1);
    for (Index j = 0; j < n; ++j) {
      auto query = queries.middleRows(j, 1);
      const RowRange seen = heads.keys_of(j, {0, n});
      if (token < seen.begin || token >= seen.end) {
        query.setZero();
        continue;
      }
      if (rotary) rotary->turn_head_back(token, query.data());
      if (head_norms) head_norms->keys.vjp(key, query, query);
    }
    gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, scale, queries,
                        qkv.weight.rows(shape.key_begin(h), width), 0, result.middleRows(h * n, n));
  }
  return result;
}

}  // namespace wordsway
