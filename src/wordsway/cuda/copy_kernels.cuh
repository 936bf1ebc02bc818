// Copies of a text, each with one row moved: how they are made, and what is read out of them.
//
// Matrices lie on the device, row by row. Sums have a fixed order: the same rows give the same bits. All widths are
// multiples of 4.
#pragma once

#include <cuda_runtime_api.h>

namespace wordsway::cuda {

/// Copies of one text below each other, each with one row moved. A copy may leave out the text's first rows.
struct Copies {
  long count = 0;
  int n = 0;                    // rows of the text
  const int* begins = nullptr;  // [count + 1] first rows of the copies, and the end of the last
  const int* firsts = nullptr;  // [count] which rows of the text those are; null: 0
  const int* tokens = nullptr;  // [count] the rows of the text that moved
};

/// Rows of copies: rows[k] where row tokens[k] of the text would be, others those of `base`, [n, columns].
template <typename Number>
void copy_with_rows(cudaStream_t stream, const Copies& copies, int columns, const Number* base, const Number* rows,
                    Number* to);
/// to[k] = the moved row of copy k.
void take_rows(cudaStream_t stream, const Copies& copies, int columns, const float* from, float* to);

/// squares[k] = Σ (hidden − base)² over the rows of copy k, in double; cotangent = 2(hidden − base) where wanted.
/// `partial` holds copies·kDistanceParts doubles.
inline constexpr int kDistanceParts = 32;
void distances(cudaStream_t stream, const Copies& copies, int columns, const float* hidden, const float* base,
               double* partial, double* squares, float* cotangent);

/// out[k] = Σ_j weights[j]·h_j over all rows of the text, [copies, columns], h being that of the copy and, for rows
/// that it leaves out, `base`; and the cotangent of the copies' rows from that of out.
void readout(cudaStream_t stream, const Copies& copies, int columns, const float* hidden, const float* base,
             const float* weights, float* out);
void readout_backward(cudaStream_t stream, const Copies& copies, int columns, const float* out_cotangent,
                      const float* weights, float* cotangent);

}  // namespace wordsway::cuda
