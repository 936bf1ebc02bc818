#include "wordsway/model/layers/feed_forward.h"

#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

// Calls body(first row, rows) for blocks of rows that do not depend on the number of threads.
template <typename Body>
void for_row_blocks(ConstMatrixFRef x, const Body& body) {
  constexpr Index kWorthThreads = 1 << 15;  // entries, each with an exponential
  const Blocks blocks{x.rows(), 16};
  parallel_if(x.size() >= kWorthThreads, blocks.count(),
              [&](Index block) { body(blocks.begin(block), blocks.length(block)); });
}

}  // namespace

MatrixF FeedForward::inside(ConstMatrixFRef x, FeedForwardTrace* trace) const {
  MatrixF after(x.rows(), up.weight.outputs());
  if (trace != nullptr) trace->slope.resize(after.rows(), after.cols());
  up.forward(x, after, [&](MatrixFRef block, Index row, Index column) {
    if (trace == nullptr) return activate(activation, block);
    activate(activation, block, trace->slope.block(row, column, block.rows(), block.cols()));
  });
  return after;
}

// a and b come from different blocks of the product, so they are combined after it.
MatrixF FeedForward::gated_inside(ConstMatrixFRef x, FeedForwardTrace* trace) const {
  const Index f = down.weight.inputs();
  MatrixF both(x.rows(), 2 * f), product(x.rows(), f);
  up.forward(x, both);
  if (trace != nullptr) {
    trace->slope.resize(x.rows(), f);
    trace->value.resize(x.rows(), f);
  }
  for_row_blocks(both, [&](Index row, Index rows) {
    auto a = both.block(row, 0, rows, f);
    const auto b = both.block(row, f, rows, f);
    if (trace == nullptr) {
      activate(activation, a);
    } else {
      activate(activation, a, trace->slope.middleRows(row, rows));
      trace->slope.middleRows(row, rows).array() *= b.array();
      trace->value.middleRows(row, rows) = a;
    }
    product.middleRows(row, rows).array() = a.array() * b.array();
  });
  return product;
}

void FeedForward::forward(ConstMatrixFRef x, ConstMatrixFRef residual, FeedForwardTrace* trace, MatrixFRef y) const {
  down.forward(gated ? gated_inside(x, trace) : inside(x, trace), y, plus(residual));
}

void FeedForward::vjp(const FeedForwardTrace& trace, ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent,
                      const Epilogue& then) const {
  const Index n = y_cotangent.rows(), f = down.weight.inputs();
  MatrixF inside(n, up.weight.outputs());
  down.vjp(y_cotangent, inside.leftCols(f), [&](MatrixFRef block, Index row, Index column) {
    const auto same_block = [&](const MatrixF& of) {
      return of.block(row, column, block.rows(), block.cols()).array();
    };
    if (gated)
      inside.block(row, f + column, block.rows(), block.cols()).array() = block.array() * same_block(trace.value);
    block.array() *= same_block(trace.slope);
  });
  up.vjp(inside, x_cotangent, then);
}

}  // namespace wordsway
