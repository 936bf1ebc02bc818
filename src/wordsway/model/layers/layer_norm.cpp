#include "wordsway/model/layers/layer_norm.h"

#include <cmath>

#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

// Calls body(begin, end) for blocks of rows that do not depend on the number of threads.
template <typename Body>
void for_row_blocks(Index n, Index d, const Body& body) {
  constexpr Index kWorthThreads = 1 << 17;  // entries
  const Blocks blocks{n, 64};
  parallel_if(n * d >= kWorthThreads, blocks.count(),
              [&](Index block) { body(blocks.begin(block), blocks.begin(block) + blocks.length(block)); });
}

}  // namespace

LayerNormTrace LayerNormTrace::rows(Index begin, Index count) const {
  return {normalised.middleRows(begin, count), inverse_deviation.segment(begin, count)};
}

void LayerNormTrace::replace_rows(Index begin, const LayerNormTrace& rows) {
  normalised.middleRows(begin, rows.normalised.rows()) = rows.normalised;
  inverse_deviation.segment(begin, rows.inverse_deviation.size()) = rows.inverse_deviation;
}

// Sums are those of `normalised`, whose first entry is aligned: how Eigen adds up depends on that.
void LayerNorm::forward(ConstMatrixFRef x, LayerNormTrace* trace, MatrixFRef y) const {
  if (trace != nullptr) {
    trace->normalised.resize(x.rows(), x.cols());
    trace->inverse_deviation.resize(x.rows());
  }
  for_row_blocks(x.rows(), x.cols(), [&](Index begin, Index end) {
    RowF normalised(x.cols());
    for (Index row = begin; row < end; ++row) {
      normalised = x.row(row);
      if (centred) normalised.array() -= normalised.mean();
      const float variance = normalised.squaredNorm() / static_cast<float>(x.cols());
      const float inverse = 1.f / std::sqrt(variance + epsilon);
      normalised *= inverse;
      if (trace != nullptr) {
        trace->inverse_deviation[row] = inverse;
        trace->normalised.row(row) = normalised;
      }
      if (bias.size() > 0) {
        y.row(row).array() = normalised.array() * gain.array() + bias.array();
      } else {
        y.row(row).array() = normalised.array() * gain.array();
      }
    }
  });
}

MatrixF LayerNorm::forward(ConstMatrixFRef x) const {
  MatrixF y(x.rows(), x.cols());
  forward(x, nullptr, y);
  return y;
}

void LayerNorm::vjp(const LayerNormTrace& trace, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent) const {
  for_row_blocks(y_cotangent.rows(), y_cotangent.cols(), [&](Index begin, Index end) {
    RowF g(y_cotangent.cols());
    for (Index row = begin; row < end; ++row) {
      const auto normalised = trace.normalised.row(row);
      g.array() = y_cotangent.row(row).array() * gain.array();
      const float along_one = centred ? g.mean() : 0.f;
      const float along_normalised = g.dot(normalised) / static_cast<float>(g.size());
      x_cotangent.row(row).array() =
          trace.inverse_deviation[row] * (g.array() - along_one - normalised.array() * along_normalised);
    }
  });
}

}  // namespace wordsway
