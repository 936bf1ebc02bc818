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
}

void SelfAttention::project(ConstMatrixFRef x, const AttentionMask& mask, MatrixF& projected) const {
  projected.resize(x.rows(), heads.shape.qkv_columns());
  qkv.forward(x, projected);
  if (rotary) rotary->turn(heads.shape, mask, projected);
}

void SelfAttention::project_row(ConstMatrixFRef x, Index position, MatrixFRef projected) const {
  qkv.forward(x, projected);
  if (rotary) rotary->turn_row(heads.shape, position, projected.data());
}

void SelfAttention::forward(ConstMatrixFRef projected, const AttentionMask& mask, ConstMatrixFRef residual,
                            MatrixFRef y) const {
  MatrixF context(projected.rows(), heads.shape.context_columns());
  heads.forward(projected, mask, context);
  output.forward(context, y, plus(residual));
}

MatrixF SelfAttention::vjp_to_projection(ConstMatrixFRef projected, const AttentionMask& mask,
                                         ConstMatrixFRef y_cotangent) const {
  MatrixF context(projected.rows(), heads.shape.context_columns());
  MatrixF result(projected.rows(), heads.shape.qkv_columns());
  output.vjp(y_cotangent, context);
  heads.vjp(projected, mask, context, result);
  if (rotary) rotary->turn_back(heads.shape, mask, result);
  return result;
}

std::vector<MatrixF> SelfAttention::probabilities(ConstMatrixFRef x, const AttentionMask& mask, Index first,
                                                  Index count) const {
  MatrixF projected;
  project(x, mask, projected);
  std::vector<MatrixF> result;
  for (Index head = first; head < first + count; ++head) result.push_back(heads.probabilities(projected, mask, head));
  return result;
}

// The score of query j is ⟨q_j, R k⟩/√w, where R turns the key to the token's position: its gradient by the key's row
// is (Rᵀq_j)·W_k/√w.
MatrixF SelfAttention::score_gradients(ConstMatrixFRef x, Index token) const {
  const AttentionShape& shape = heads.shape;
  const Index n = x.rows(), width = shape.width;
  MatrixF projected;
  project(x, {}, projected);
  MatrixF result(shape.heads * n, x.cols());
  const float scale = 1.f / std::sqrt(static_cast<float>(width));
  for (Index h = 0; h < shape.heads; ++h) {
    auto queries = projected.middleCols(shape.query_begin(h), width);
    for (Index j = 0; j < n; ++j) {
      const RowRange seen = heads.keys_of(j, {0, n});
      if (token < seen.begin || token >= seen.end) {
        queries.row(j).setZero();
      } else if (rotary) {
        rotary->turn_head_back(token, queries.row(j).data());
      }
    }
    gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, scale, queries,
                        qkv.weight.rows(shape.key_begin(h), width), 0, result.middleRows(h * n, n));
  }
  return result;
}

}  // namespace wordsway
