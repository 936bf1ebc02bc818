// The weights of a linear layer, kept in the order in which products read them, and the two products with them.
//
// W: [out, in] is stored once, as the panels of Wᵀ: 48 outputs side by side for every input (AVX-512). The forward
// product reads them as the wide operand and the text as the narrow one; the vjp the other way round.
//
// Weights of 16 bits stay so in memory, and quantised ones stay in their blocks, of which those of 16 rows lie byte
// beside byte (products/strips.h): they become floats while a panel is used. That is exact, so that a product has the
// bits it would have with weights that were widened before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/model/products/panels.h"
#include "wordsway/model/products/strips.h"

namespace wordsway {

/// Called for every finished block of a product, while it is still in cache: the block, which it may change, and its
/// first row and column. Blocks do not overlap and run at the same time.
using Epilogue = std::function<void(MatrixFRef block, Index row, Index column)>;

/// A matrix as a file has it, [rows, columns].
struct StoredMatrix {
  std::string dtype;  // as io/gguf_blocks.h names types: "F32", "F16", "BF16", "Q4_K", ...
  Index rows = 0, columns = 0;
  /// The bytes of `count` rows from `first` on. Called from several threads at once.
  std::function<void(Index first, Index count, std::span<std::byte> bytes)> read;

  /// Bytes of one row. Throws DataError when the type is unknown or a row is not a whole number of its blocks.
  size_t row_bytes() const;
};

class PackedWeights {
 public:
  PackedWeights() = default;
  explicit PackedWeights(ConstMatrixFRef W);
  /// Matrices of one width below each other, as they are stored: F16 or BF16 where all are, blocks where one is
  /// quantised, else floats. Rows are read a panel at a time: nothing is in memory twice.
  static PackedWeights as_stored(const std::vector<StoredMatrix>& parts);
  /// Packs them as floats.
  static PackedWeights widened(const std::vector<StoredMatrix>& parts);

  Index inputs() const { return inputs_; }
  Index outputs() const { return outputs_; }
  Index size() const { return inputs_ * outputs_; }
  /// Bytes in memory.
  size_t bytes() const;

  /// Rows begin ... begin + count of W, [count, in].
  MatrixF rows(Index begin, Index count) const;
  /// Row i into `row`, of as many values.
  void copy_row(Index i, float* row) const;

  /// y = x·Wᵀ + bias for every row.  x: [n, in], bias: [out] or empty for none, y: [n, out].
  void forward(ConstMatrixFRef x, const RowF& bias, MatrixFRef y, const Epilogue& epilogue = {}) const;

  /// x̄ = ȳ·W.  ȳ: [n, out], x̄: [n, in].
  void vjp(ConstMatrixFRef y_cotangent, MatrixFRef x_cotangent, const Epilogue& epilogue = {}) const;

 private:
  enum class Type { kF32, kF16, kBf16, kBlocks };
  using ByteRow = Eigen::Matrix<std::uint8_t, 1, Eigen::Dynamic, Eigen::RowMajor>;
  using HalfRow = Eigen::Matrix<std::uint16_t, 1, Eigen::Dynamic, Eigen::RowMajor>;

  // kLanes rows, in blocks (products/strips.h).
  struct KeptStrip {
    const GgufType* type;
    size_t offset;
  };

  PackedWeights(const std::vector<StoredMatrix>& parts, Type type);
  template <typename Body>
  void with_panels(const Body& body) const;
  void pack_floats(const std::vector<StoredMatrix>& parts);
  void pack_halves(const std::vector<StoredMatrix>& parts);
  void keep_blocks(const std::vector<StoredMatrix>& parts);
  void keep_strip(const std::vector<StoredMatrix>& parts, Index s);
  std::vector<products::Strip> panel_strips(Index j) const;
  products::Panels dequantised_panel(Index j, float* to) const;
  PackedWeights expanded() const;

  Index inputs_ = 0;
  Index outputs_ = 0;
  Type type_ = Type::kF32;
  RowF floats_;                    // panels of kF32
  HalfRow halves_;                 // panels of kF16 and kBf16
  ByteRow blocks_;                 // strips of kBlocks
  std::vector<KeptStrip> strips_;  // in the order of rows
};

}  // namespace wordsway
