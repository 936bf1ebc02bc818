// The inner loop of float32 products: a tile of the result stays in registers while its depth is run through.
//
//   tile[r][c] = Σ_p narrow(r, p)·panel[p][c]         r < 8 rows, c < 48 columns (AVX-512), p < depth
//
// One operand is read as it lies, one number at a time (narrow); the other is packed into panels of a few vectors'
// width. In a linear layer the weights are the narrow one, so they are never copied: docs/decisions/0007.
// Written with GCC's vector types; clang has them too.
#pragma once

#include "wordsway/model/float_matrix.h"

namespace wordsway::tiles {

#if defined(__AVX512F__)
inline constexpr Index kLanes = 16, kRows = 8, kVectors = 3;  // 24 sums in 32 registers
#elif defined(__AVX__)
inline constexpr Index kLanes = 8, kRows = 4, kVectors = 2;  // 8 sums in 16 registers
#else
inline constexpr Index kLanes = 4, kRows = 4, kVectors = 2;
#endif
inline constexpr Index kPanel = kLanes * kVectors;  // columns of a panel

/// The operand read number by number: element (r, p) is at data[r·row + p·depth].
struct Narrow {
  const float* data;
  Index row;
  Index depth;
};

/// The other operand: panels of kPanel columns one after the other, the last one as wide as it needs in whole vectors,
/// filled up with zeros. Panel j is [depth, width(j)], contiguous.
struct Panels {
  const float* data;
  Index depth;
  Index columns;

  Index count() const { return (columns + kPanel - 1) / kPanel; }
  Index used(Index j) const { return std::min(kPanel, columns - j * kPanel); }  // columns that are not filled up
  Index width(Index j) const { return (used(j) + kLanes - 1) / kLanes * kLanes; }
  const float* panel(Index j) const { return data + j * kPanel * depth; }
};

/// Floats that panels of these sizes need.
Index panels_size(Index depth, Index columns);

/// Packs B, [depth, columns], or the transpose of Bt, [columns, depth], into `to` (panels_size floats, aligned to 64
/// bytes).
Panels pack(ConstMatrixFRef B, float* to);
Panels pack_transposed(ConstMatrixFRef Bt, float* to);

/// How a finished tile enters the result: C = alpha·tile + beta·C. With beta = 0, C is not read.
struct Blend {
  float alpha;
  float beta;
};

/// C = alpha·narrow·panels + beta·C.  C: [rows, columns], rows of it in groups of kRows.
void multiply(const Narrow& narrow, Index rows, const Panels& panels, Blend blend, MatrixFRef C);

/// Cᵀ = alpha·narrow·panels + beta·Cᵀ.  C: [columns, rows].
void multiply_into_transposed(const Narrow& narrow, Index rows, const Panels& panels, Blend blend, MatrixFRef C);

/// At least `size` floats aligned to 64 bytes, kept by the calling thread until it ends. `which` (0 or 1) tells apart
/// two uses at a time.
float* scratch(int which, Index size);

}  // namespace wordsway::tiles
