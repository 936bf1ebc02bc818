#include "wordsway/model/layers/post_norm_block.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/model/products/gemm.h"

namespace wordsway {

struct PostNormBlock::Trace : BlockTrace {
  MatrixF qkv;                    // [n, (H + 2G)w]
  LayerNormTrace attention_norm;  // [n, d]
  MatrixF activation_slope;       // [n, f]
  LayerNormTrace output_norm;     // [n, d]
};

PostNormBlock::PostNormBlock(PostNormWeights weights) : w_(std::move(weights)) {
  w_.shape.check();
  const PackedWeights &qkv = w_.qkv.weight, &output = w_.attention_output.weight;
  if (qkv.outputs() != w_.shape.qkv_columns() || output.inputs() != w_.shape.context_columns())
    throw DataError(fmt::format(
        "attention of {} heads, {} of keys, {} columns each, needs projections to {} and from {}; got {} and {}",
        w_.shape.heads, w_.shape.kv_heads, w_.shape.width, w_.shape.qkv_columns(), w_.shape.context_columns(),
        qkv.outputs(), output.inputs()));
}

std::unique_ptr<BlockTrace> PostNormBlock::make_trace() const {
  return std::make_unique<Trace>();
}

void PostNormBlock::forward(ConstMatrixFRef x, const AttentionMask& mask, BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  kept.qkv.resize(x.rows(), w_.shape.qkv_columns());
  w_.qkv.forward(x, kept.qkv);
  after_projection(x, mask, kept, y);
}

void PostNormBlock::forward_changed_row(ConstMatrixFRef x, Index i, const BlockTrace& base, const AttentionMask& mask,
                                        BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  kept.qkv = dynamic_cast<const Trace&>(base).qkv;
  w_.qkv.forward(x.middleRows(i, 1), kept.qkv.middleRows(i, 1));
  after_projection(x, mask, kept, y);
}

void PostNormBlock::after_projection(ConstMatrixFRef x, const AttentionMask& mask, Trace& trace, MatrixF& y) const {
  MatrixF context(x.rows(), w_.shape.context_columns()), h(x.rows(), x.cols());
  attention_forward(trace.qkv, w_.shape, mask, context);
  w_.attention_output.forward(context, h, [&](MatrixFRef block, Index row, Index column) {
    block += x.block(row, column, block.rows(), block.cols());
  });
  w_.attention_norm.forward(h, trace.attention_norm, h);
  y.resize(x.rows(), x.cols());
  w_.feed_forward.forward(h, trace.activation_slope, y);
  w_.output_norm.forward(y, trace.output_norm, y);
}

PostNormBlock::Cotangents PostNormBlock::vjp_to_projection(const Trace& trace, const AttentionMask& mask,
                                                           const MatrixF& y_cotangent) const {
  const Index n = y_cotangent.rows(), d = y_cotangent.cols();
  Cotangents result{MatrixF(n, d), MatrixF(n, w_.shape.qkv_columns())};
  MatrixF scratch(n, d);
  w_.output_norm.vjp(trace.output_norm, y_cotangent, scratch);
  w_.feed_forward.vjp(trace.activation_slope, scratch, result.residual);
  w_.attention_norm.vjp(trace.attention_norm, result.residual, result.residual);
  scratch.resize(n, w_.shape.context_columns());
  w_.attention_output.vjp(result.residual, scratch);
  attention_vjp(trace.qkv, w_.shape, mask, scratch, result.qkv);
  return result;
}

void PostNormBlock::vjp(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                        MatrixF& x_cotangent) const {
  const Cotangents at = vjp_to_projection(dynamic_cast<const Trace&>(trace), mask, y_cotangent);
  x_cotangent.resize(at.residual.rows(), at.residual.cols());
  w_.qkv.vjp(at.qkv, x_cotangent, [&](MatrixFRef block, Index row, Index column) {
    block += at.residual.block(row, column, block.rows(), block.cols());
  });
}

RowF PostNormBlock::vjp_row(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                            Index i) const {
  const Cotangents at = vjp_to_projection(dynamic_cast<const Trace&>(trace), mask, y_cotangent);
  MatrixF row(1, at.residual.cols());
  w_.qkv.vjp(at.qkv.middleRows(i, 1), row);
  return row.row(0) + at.residual.row(i);
}

std::vector<MatrixF> PostNormBlock::attention(ConstMatrixFRef x, const AttentionMask& mask, Index first,
                                              Index count) const {
  const MatrixF qkv = w_.qkv.forward(x);
  std::vector<MatrixF> heads;
  for (Index head = first; head < first + count; ++head)
    heads.push_back(attention_probabilities(qkv, w_.shape, mask, head));
  return heads;
}

MatrixF PostNormBlock::score_gradients(ConstMatrixFRef x) const {
  const Index n = x.rows(), d = x.cols(), width = w_.shape.width;
  const MatrixF qkv = w_.qkv.forward(x);
  MatrixF result(w_.shape.heads * n, d);
  const float scale = 1.f / std::sqrt(static_cast<float>(width));
  for (Index h = 0; h < w_.shape.heads; ++h) {
    gemm_on_this_thread(Transpose::kPlain, Transpose::kPlain, scale, qkv.middleCols(w_.shape.query_begin(h), width),
                        w_.qkv.weight.rows(w_.shape.key_begin(h), width), 0, result.middleRows(h * n, n));
  }
  return result;
}

Index PostNormBlock::parameters() const {
  Index count = 0;
  for (const Linear* linear : {&w_.qkv, &w_.attention_output, &w_.feed_forward.up, &w_.feed_forward.down}) {
    count += linear->weight.size() + linear->bias.size();
  }
  return count + 2 * (w_.attention_norm.gain.size() + w_.output_norm.gain.size());
}

}  // namespace wordsway
