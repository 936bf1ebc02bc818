#include "wordsway/model/layers/head_norms.h"

namespace wordsway {
namespace {

// Calls change(heads) with these columns of all rows, one head per row, and copies the changed ones back.
template <typename Change>
void change_heads(MatrixFRef qkv, Index begin, Index heads, Index width, const Change& change) {
  MatrixF columns = qkv.middleCols(begin, heads * width);
  change(Eigen::Map<MatrixF>(columns.data(), qkv.rows() * heads, width));
  qkv.middleCols(begin, heads * width) = columns;
}

}  // namespace

void HeadNorms::forward(const AttentionShape& shape, HeadNormsTrace* trace, MatrixFRef qkv) const {
  change_heads(qkv, shape.query_begin(0), shape.heads, shape.width,
               [&](MatrixFRef heads) { queries.forward(heads, trace != nullptr ? &trace->queries : nullptr, heads); });
  change_heads(qkv, shape.key_begin(0), shape.kv_heads, shape.width,
               [&](MatrixFRef heads) { keys.forward(heads, trace != nullptr ? &trace->keys : nullptr, heads); });
}

void HeadNorms::vjp(const AttentionShape& shape, const HeadNormsTrace& trace, MatrixFRef qkv_cotangent) const {
  change_heads(qkv_cotangent, shape.query_begin(0), shape.heads, shape.width,
               [&](MatrixFRef heads) { queries.vjp(trace.queries, heads, heads); });
  change_heads(qkv_cotangent, shape.key_begin(0), shape.kv_heads, shape.width,
               [&](MatrixFRef heads) { keys.vjp(trace.keys, heads, heads); });
}

}  // namespace wordsway
