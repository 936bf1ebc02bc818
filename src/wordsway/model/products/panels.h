// How the operands of float32 products are laid out for the inner loop (products/tile.h).
//
//   tile[r][c] = Σ_p narrow(r, p)·panel[p][c]         r < 8 rows, c < 48 columns (AVX-512), p < depth
//
// The wide operand is packed into panels of a few vectors' width; the narrow one is read one number at a time.
#pragma once

#include "wordsway/core/matrix.h"

namespace wordsway::products {

/// Multiplications of a product below which waking a thread costs more than it saves.
inline constexpr double kWorthAThread = 1 << 20;

#if defined(__AVX512F__)
inline constexpr Index kLanes = 16, kRows = 8, kVectors = 3;  // 24 sums in 32 registers
#elif defined(__AVX__)
inline constexpr Index kLanes = 8, kRows = 4, kVectors = 2;  // 8 sums in 16 registers
#else
inline constexpr Index kLanes = 4, kRows = 4, kVectors = 2;
#endif
inline constexpr Index kPanel = kLanes * kVectors;  // columns of a panel

/// The wide operand, [depth, columns]: panels of kPanel columns one after the other, the last one as wide as it needs
/// in whole vectors, filled up with zeros. Panel j is [depth, width(j)], contiguous. Values are floats, or 16 bits each
/// that become floats when they are used.
template <typename Value>
struct PanelsOf {
  const Value* data;
  Index depth;
  Index columns;

  Index count() const { return (columns + kPanel - 1) / kPanel; }
  Index used(Index j) const { return std::min(kPanel, columns - j * kPanel); }  // columns that are not filled up
  Index width(Index j) const { return (used(j) + kLanes - 1) / kLanes * kLanes; }
  const Value* panel(Index j) const { return data + j * kPanel * depth; }
};
using Panels = PanelsOf<float>;

/// Values that panels of these sizes need.
Index panels_size(Index depth, Index columns);

/// Packs B, [depth, columns], or the transpose of Bt, [columns, depth], into `to` (panels_size floats, aligned to 64
/// bytes).
Panels pack(ConstMatrixFRef B, float* to);
Panels pack_transposed(ConstMatrixFRef Bt, float* to);

/// to = the transpose of `from`, whose rows lie `stride` apart; those of `to` lie `width` apart.
void transpose(const float* from, Index stride, Index rows, Index columns, float* to, Index width);

/// Zeros for the columns of the last panel that are not used.
void fill_up(const Panels& panels, float* to);

/// Floats that rows need in groups.
Index groups_size(Index rows, Index depth);

/// Packs a narrow operand, A: [rows, depth]. Groups of kRows rows, each turned: [depth, kRows], contiguous, the last
/// one filled up with zeros.
void pack_groups(ConstMatrixFRef A, float* to);

/// At least `size` floats aligned to 64 bytes, kept by the calling thread until it ends. `which` (0 to 2) tells apart
/// uses at the same time.
float* scratch(int which, Index size);

}  // namespace wordsway::products
