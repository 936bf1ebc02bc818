#include "wordsway/model/layers/pre_norm_block.h"

namespace wordsway {

struct PreNormBlock::Trace : BlockTrace {
  LayerNormTrace attention_norm;     // [n, d]
  MatrixF projected;                 // [n, (H + 2G)w]
  LayerNormTrace feed_forward_norm;  // [n, d]
  FeedForwardTrace feed_forward;     // [n, f]
  LayerNormTrace final_norm;         // [n, d]
};

namespace {

LayerNormTrace one_row(const LayerNormTrace& trace, Index i) {
  return {trace.normalised.middleRows(i, 1), trace.inverse_deviation.segment(i, 1)};
}

}  // namespace

PreNormBlock::PreNormBlock(PreNormWeights weights) : w_(std::move(weights)) {
  w_.attention.check();
}

std::unique_ptr<BlockTrace> PreNormBlock::make_trace() const {
  return std::make_unique<Trace>();
}

void PreNormBlock::forward(ConstMatrixFRef x, const AttentionMask& mask, BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  if (w_.attention_norm) {
    MatrixF normalised(x.rows(), x.cols());
    w_.attention_norm->forward(x, kept.for_vjp ? &kept.attention_norm : nullptr, normalised);
    w_.attention.project(normalised, mask, kept.projected);
  } else {
    w_.attention.project(x, mask, kept.projected);
  }
  after_projection(x, mask, kept, y);
}

void PreNormBlock::forward_changed_row(ConstMatrixFRef x, Index i, const BlockTrace& base, const AttentionMask& mask,
                                       BlockTrace& trace, MatrixF& y) const {
  auto& kept = dynamic_cast<Trace&>(trace);
  const auto& unchanged = dynamic_cast<const Trace&>(base);
  kept.projected = unchanged.projected;
  MatrixF row = x.middleRows(i, 1);
  if (w_.attention_norm) {
    LayerNormTrace row_trace;
    w_.attention_norm->forward(row, &row_trace, row);
    kept.attention_norm = unchanged.attention_norm;
    kept.attention_norm.normalised.row(i) = row_trace.normalised.row(0);
    kept.attention_norm.inverse_deviation[i] = row_trace.inverse_deviation[0];
  }
  w_.attention.project_row(row, i, kept.projected.middleRows(i, 1));
  after_projection(x, mask, kept, y);
}

void PreNormBlock::after_projection(ConstMatrixFRef x, const AttentionMask& mask, Trace& trace, MatrixF& y) const {
  const bool keep = trace.for_vjp;
  MatrixF h(x.rows(), x.cols()), normalised(x.rows(), x.cols());
  w_.attention.forward(trace.projected, mask, x, h);
  w_.feed_forward_norm.forward(h, keep ? &trace.feed_forward_norm : nullptr, normalised);
  y.resize(x.rows(), x.cols());
  w_.feed_forward.forward(normalised, h, keep ? &trace.feed_forward : nullptr, y);
  if (w_.final_norm) w_.final_norm->forward(y, keep ? &trace.final_norm : nullptr, y);
}

PreNormBlock::Cotangents PreNormBlock::vjp_to_projection(const Trace& trace, const AttentionMask& mask,
                                                         const MatrixF& y_cotangent) const {
  MatrixF sum = y_cotangent, residual(sum.rows(), sum.cols());
  if (w_.final_norm) w_.final_norm->vjp(trace.final_norm, y_cotangent, sum);
  w_.feed_forward.vjp(trace.feed_forward, sum, residual);
  w_.feed_forward_norm.vjp(trace.feed_forward_norm, residual, residual);
  residual += sum;
  MatrixF projection = w_.attention.vjp_to_projection(trace.projected, mask, residual);
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
  if (w_.attention_norm) w_.attention_norm->vjp(one_row(kept.attention_norm, i), row, row);
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
  const LayerNormTrace at = one_row(trace, token);
  for (Index row = 0; row < gradients.rows(); ++row)
    w_.attention_norm->vjp(at, gradients.middleRows(row, 1), gradients.middleRows(row, 1));
  return gradients;
}

Index PreNormBlock::parameters() const {
  const Index optional_norms =
      (w_.attention_norm ? w_.attention_norm->parameters() : 0) + (w_.final_norm ? w_.final_norm->parameters() : 0);
  return w_.attention.parameters() + w_.feed_forward_norm.parameters() + w_.feed_forward.parameters() + optional_norms;
}

}  // namespace wordsway
