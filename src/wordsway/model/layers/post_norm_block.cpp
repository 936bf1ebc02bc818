#include "wordsway/model/layers/post_norm_block.h"

namespace wordsway {

struct PostNormBlock::Trace : BlockTrace {
  SelfAttentionTrace attention;   // [n, (H + 2G)w]
  LayerNormTrace attention_norm;  // [n, d]
  FeedForwardTrace feed_forward;  // [n, f]
  LayerNormTrace output_norm;     // [n, d]
};

PostNormBlock::PostNormBlock(PostNormWeights weights) : w_(std::move(weights)) {
  w_.attention.check();
}

std::unique_ptr<BlockTrace> PostNormBlock::make_trace() const {
  return std::make_unique<Trace>();
}

void PostNormBlock::forward(ConstMatrixFRef x, const AttentionMask& mask, BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  w_.attention.project(x, mask, kept.attention);
  after_projection(x, mask, kept, y);
}

void PostNormBlock::forward_changed_row(ConstMatrixFRef x, Index i, const BlockTrace& base, const AttentionMask& mask,
                                        BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  kept.attention = dynamic_cast<const Trace&>(base).attention;
  w_.attention.project_row(x.middleRows(i, 1), i, kept.attention);
  after_projection(x, mask, kept, y);
}

void PostNormBlock::after_projection(ConstMatrixFRef x, const AttentionMask& mask, Trace& trace, MatrixF& y) const {
  const bool keep = trace.for_vjp;
  MatrixF h(x.rows(), x.cols());
  w_.attention.forward(trace.attention.projected, mask, x, h);
  w_.attention_norm.forward(h, keep ? &trace.attention_norm : nullptr, h);
  y.resize(x.rows(), x.cols());
  w_.feed_forward.forward(h, h, keep ? &trace.feed_forward : nullptr, y);
  w_.output_norm.forward(y, keep ? &trace.output_norm : nullptr, y);
}

PostNormBlock::Cotangents PostNormBlock::vjp_to_projection(const Trace& trace, const AttentionMask& mask,
                                                           const MatrixF& y_cotangent) const {
  MatrixF residual(y_cotangent.rows(), y_cotangent.cols()), scratch(y_cotangent.rows(), y_cotangent.cols());
  w_.output_norm.vjp(trace.output_norm, y_cotangent, scratch);
  w_.feed_forward.vjp(trace.feed_forward, scratch, residual, plus(scratch));
  w_.attention_norm.vjp(trace.attention_norm, residual, residual);
  MatrixF projection = w_.attention.vjp_to_projection(trace.attention, mask, residual);
  return {std::move(residual), std::move(projection)};
}

void PostNormBlock::vjp(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                        MatrixF& x_cotangent) const {
  const Cotangents at = vjp_to_projection(dynamic_cast<const Trace&>(trace), mask, y_cotangent);
  x_cotangent.resize(at.residual.rows(), at.residual.cols());
  w_.attention.qkv.vjp(at.projection, x_cotangent, plus(at.residual));
}

RowF PostNormBlock::vjp_row(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                            Index i) const {
  const Cotangents at = vjp_to_projection(dynamic_cast<const Trace&>(trace), mask, y_cotangent);
  MatrixF row(1, at.residual.cols());
  w_.attention.qkv.vjp(at.projection.middleRows(i, 1), row);
  return row.row(0) + at.residual.row(i);
}

std::vector<MatrixF> PostNormBlock::attention(ConstMatrixFRef x, const AttentionMask& mask, Index first,
                                              Index count) const {
  return w_.attention.probabilities(x, mask, first, count);
}

MatrixF PostNormBlock::score_gradients(ConstMatrixFRef x, Index token) const {
  return w_.attention.score_gradients(x, token);
}

BlockParts PostNormBlock::parts() const {
  return {false, &w_.attention_norm, &w_.attention, nullptr, &w_.feed_forward, &w_.output_norm};
}

Index PostNormBlock::parameters() const {
  return w_.attention.parameters() + w_.attention_norm.parameters() + w_.feed_forward.parameters() +
         w_.output_norm.parameters();
}

}  // namespace wordsway
