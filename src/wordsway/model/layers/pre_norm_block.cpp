#include "wordsway/model/layers/pre_norm_block.h"

namespace wordsway {

// A trace of the rows of x; after forward_from() the projections also have the rows before them.
struct PreNormBlock::Trace : BlockTrace {
  LayerNormTrace attention_norm;     // [n, d]
  SelfAttentionTrace attention;      // [first + n, (H + 2G)w]
  LayerNormTrace feed_forward_norm;  // [n, d]
  FeedForwardTrace feed_forward;     // [n, f]
  LayerNormTrace final_norm;         // [n, d]
};

PreNormBlock::PreNormBlock(PreNormWeights weights) : w_(std::move(weights)) {
  w_.attention.check();
}

std::unique_ptr<BlockTrace> PreNormBlock::make_trace() const {
  return std::make_unique<Trace>();
}

MatrixF PreNormBlock::normalised(ConstMatrixFRef x, Trace& trace) const {
  MatrixF rows = x;
  if (w_.attention_norm) w_.attention_norm->forward(rows, trace.for_vjp ? &trace.attention_norm : nullptr, rows);
  return rows;
}

void PreNormBlock::forward(ConstMatrixFRef x, const AttentionMask& mask, BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  w_.attention.project(normalised(x, kept), mask, kept.attention);
  after_projection(x, mask, kept, y);
}

void PreNormBlock::forward_changed_row(ConstMatrixFRef x, Index i, const BlockTrace& base, const AttentionMask& mask,
                                       BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  const auto& unchanged = dynamic_cast<const Trace&>(base);
  kept.attention = unchanged.attention;
  MatrixF row = x.middleRows(i, 1);
  if (w_.attention_norm) {
    LayerNormTrace row_trace;
    w_.attention_norm->forward(row, &row_trace, row);
    kept.attention_norm = unchanged.attention_norm;
    kept.attention_norm.replace_rows(i, row_trace);
  }
  w_.attention.project_row(row, i, kept.attention);
  after_projection(x, mask, kept, y);
}

void PreNormBlock::forward_from(ConstMatrixFRef x, Index first, const BlockTrace& base, const AttentionMask& mask,
                                BlockTrace& trace, MatrixF& y) const {
  if (!w_.attention.heads.causal) return Block::forward_from(x, first, base, mask, trace, y);
  auto& kept = dynamic_cast<Trace&>(trace);
  w_.attention.project_from(normalised(x, kept), first, dynamic_cast<const Trace&>(base).attention.projected, mask,
                            kept.attention);
  after_projection(x, mask, kept, y);
}

void PreNormBlock::extend(ConstMatrixFRef x, Index layer, KeyValueCache& cache, MatrixF& y) const {
  if (!w_.attention.heads.causal) return Block::extend(x, layer, cache, y);
  Trace nothing;
  nothing.for_vjp = false;
  MatrixF h(x.rows(), x.cols());
  w_.attention.extend(normalised(x, nothing), x, layer, cache, h);
  y.resize(x.rows(), x.cols());
  after_attention(h, nothing, y);
}

void PreNormBlock::after_projection(ConstMatrixFRef x, const AttentionMask& mask, Trace& trace, MatrixF& y) const {
  MatrixF h(x.rows(), x.cols());
  w_.attention.forward(trace.attention.projected, mask, x, h);
  y.resize(x.rows(), x.cols());
  after_attention(h, trace, y);
}

void PreNormBlock::after_attention(ConstMatrixFRef h, Trace& trace, MatrixFRef y) const {
  const bool keep = trace.for_vjp;
  MatrixF inside(h.rows(), h.cols());
  w_.feed_forward_norm.forward(h, keep ? &trace.feed_forward_norm : nullptr, inside);
  w_.feed_forward.forward(inside, h, keep ? &trace.feed_forward : nullptr, y);
  if (w_.final_norm) w_.final_norm->forward(y, keep ? &trace.final_norm : nullptr, y);
}

PreNormBlock::Cotangents PreNormBlock::vjp_to_projection(const Trace& trace, const AttentionMask& mask,
                                                         const MatrixF& y_cotangent) const {
  MatrixF sum = y_cotangent, residual(sum.rows(), sum.cols());
  if (w_.final_norm) w_.final_norm->vjp(trace.final_norm, sum, sum);
  w_.feed_forward.vjp(trace.feed_forward, sum, residual);
  w_.feed_forward_norm.vjp(trace.feed_forward_norm, residual, residual);
  residual += sum;
  MatrixF projection = w_.attention.vjp_to_projection(trace.attention, mask, residual);
  return {std::move(residual), std::move(projection)};
}

void PreNormBlock::vjp(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                       MatrixF& x_cotangent) const {
  const auto& kept = dynamic_cast<const Trace&>(trace);
  const Cotangents at = vjp_to_projection(kept, mask, y_cotangent);
  x_cotangent.resize(at.residual.rows(), at.residual.cols());
  w_.attention.qkv.vjp(at.projection, x_cotangent);
  if (w_.attention_norm) w_.attention_norm->vjp(kept.attention_norm, x_cotangent, x_cotangent);
  x_cotangent += at.residual;
}

RowF PreNormBlock::vjp_row(const BlockTrace& trace, const AttentionMask& mask, const MatrixF& y_cotangent,
                           Index i) const {
  const auto& kept = dynamic_cast<const Trace&>(trace);
  const Cotangents at = vjp_to_projection(kept, mask, y_cotangent);
  MatrixF row(1, at.residual.cols());
  w_.attention.qkv.vjp(at.projection.middleRows(i, 1), row);
  if (w_.attention_norm) w_.attention_norm->vjp(kept.attention_norm.rows(i, 1), row, row);
  return row.row(0) + at.residual.row(i);
}

std::vector<MatrixF> PreNormBlock::attention(ConstMatrixFRef x, const AttentionMask& mask, Index first,
                                             Index count) const {
  if (!w_.attention_norm) return w_.attention.probabilities(x, mask, first, count);
  return w_.attention.probabilities(w_.attention_norm->forward(x), mask, first, count);
}

MatrixF PreNormBlock::score_gradients(ConstMatrixFRef x, Index token) const {
  if (!w_.attention_norm) return w_.attention.score_gradients(x, token);
  LayerNormTrace trace;
  MatrixF normalised(x.rows(), x.cols());
  w_.attention_norm->forward(x, &trace, normalised);
  MatrixF gradients = w_.attention.score_gradients(normalised, token);
  const LayerNormTrace at = trace.rows(token, 1);
  for (Index row = 0; row < gradients.rows(); ++row)
    w_.attention_norm->vjp(at, gradients.middleRows(row, 1), gradients.middleRows(row, 1));
  return gradients;
}

BlockParts PreNormBlock::parts() const {
  const auto given = [](const std::optional<LayerNorm>& norm) { return norm ? &*norm : nullptr; };
  return {true, given(w_.attention_norm), &w_.attention, &w_.feed_forward_norm, &w_.feed_forward, given(w_.final_norm)};
}

Index PreNormBlock::parameters() const {
  const Index optional_norms =
      (w_.attention_norm ? w_.attention_norm->parameters() : 0) + (w_.final_norm ? w_.final_norm->parameters() : 0);
  return w_.attention.parameters() + w_.feed_forward_norm.parameters() + w_.feed_forward.parameters() + optional_norms;
}

}  // namespace wordsway
