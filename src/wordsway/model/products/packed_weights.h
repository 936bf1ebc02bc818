// The weights of a linear layer, kept in the order in which products read them, and the two products with them.
//
// W: [out, in] is stored once, as the panels of Wᵀ: 48 outputs side by side for every input (AVX-512). The forward
// product reads them as the wide operand and the text as the narrow one; the vjp the other way round.
#pragma once

#include <functional>

#include "wordsway/model/products/panels.h"

namespace wordsway {

/// Called for every finished block of a product, while it is still in cache: the block, which it may change, and its
/// first row and column. Blocks do not overlap and run at the same time.
using Epilogue = std::function<void(MatrixFRef block, Index row, Index column)>;

class PackedWeights {
 public:
  PackedWeights() = default;
  explicit PackedWeights(ConstMatrixFRef W);

  Index inputs() const { return inputs_; }
  Index outputs() const { return outputs_; }
  Index size() const { return inputs_ * outputs_; }

  /// Rows begin ... begin + count of W, [count, in].
  MatrixF rows(Index begin, Index count) const;

  /// y = x·Wᵀ + bias for every row.  x: [n, in], bias: [out] or empty for none, y: [n, out].
  void forward(ConstMatrixFRef x, const RowF& bias, MatrixFRef y, const Epilogue& epilogue = {}) const;

  /// x̄ = ȳ·W.  ȳ: [n, out], x̄: [n, in].
  void vjp(ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent, const Epilogue& epilogue = {}) const;

 private:
  products::Panels panels() const { return {values_.data(), inputs_, outputs_}; }

  Index inputs_ = 0;
  Index outputs_ = 0;
  RowF values_;
};

}  // namespace wordsway
