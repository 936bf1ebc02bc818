// Everything between the matrix products of a transformer but the attention: kernels that go over rows once.
//
// Matrices lie on the device, row by row, float32. An `Operand` is written in the precision of the product that reads
// it (operand.cuh). Sums have a fixed order: the same rows give the same bits. All widths are multiples of 4.
#pragma once

#include <cuda_runtime_api.h>

#include "wordsway/core/device.h"

namespace wordsway::cuda {

/// Null: not wanted.
struct Operand {
  void* data = nullptr;
  int columns = 0;
  Precision precision = Precision::kF32;
};

/// x = product + product_bias + residual (each may be null), y = norm(x).
struct NormForward {
  const float *product = nullptr, *product_bias = nullptr, *residual = nullptr;
  const float *gain = nullptr, *bias = nullptr;  // no gain: y is x
  float epsilon = 0;
  bool centred = true;
  float *sum = nullptr, *normalised = nullptr, *inverse = nullptr, *plain = nullptr;  // x, what the vjp needs, y
  Operand operand;
};
void norm_forward(cudaStream_t stream, long rows, int columns, const NormForward& norm);

/// The cotangent of x from that of y, which is the sum of two where both are given; plus `add`.
struct NormBackward {
  const float *first = nullptr, *second = nullptr;
  const float *gain = nullptr, *normalised = nullptr, *inverse = nullptr;  // no gain: y was x
  bool centred = true;
  const float* add = nullptr;
  float* plain = nullptr;
  Operand operand;
};
void norm_backward(cudaStream_t stream, long rows, int columns, const NormBackward& norm);

enum class DeviceActivation { kGelu, kGeluTanh, kRelu, kSilu, kTanh, kIdentity };

/// σ(u + bias), or σ(a)∘b with [a, b] = u + bias where gated; u: [rows, f] or [rows, 2f].
struct Activate {
  DeviceActivation kind = DeviceActivation::kGelu;
  bool gated = false;
  const float *inside = nullptr, *bias = nullptr;
  Operand operand;
};
void activation_forward(cudaStream_t stream, long rows, int columns, const Activate& activate);
/// The cotangent of u from that of the result, [rows, f].
void activation_backward(cudaStream_t stream, long rows, int columns, const Activate& activate, const float* cotangent);

/// Queries and keys of qkv, [rows, (H + 2G)w]: biases, norms of heads, rotary positions, in place.
struct Heads {
  int heads = 0, kv_heads = 0, width = 0;
  const float* bias = nullptr;
  const float *query_gain = nullptr, *key_gain = nullptr;  // null: no norms
  float epsilon = 0;
  const float *cosines = nullptr, *sines = nullptr;  // [positions, w/2]; null: nothing turns
  const int* positions = nullptr;                    // [rows] of each row in its text
  float *normalised = nullptr, *inverse = nullptr;   // [rows, (H + G)w], [rows, H + G]: what the vjp needs
};
void heads_forward(cudaStream_t stream, long rows, const Heads& heads, float* qkv);
/// From the cotangent after heads_forward, in place, to the operand of the product before it.
void heads_backward(cudaStream_t stream, long rows, const Heads& heads, float* qkv_cotangent, const Operand& operand);

/// The numbers of a matrix, [rows, columns] with this many from row to row, as an operand.
void make_operand(cudaStream_t stream, long rows, int columns, const float* from, long stride, const Operand& operand);
/// Of weights: high | high | low for f32. Transposed: from [columns, rows].
void make_weights(cudaStream_t stream, long rows, int columns, const float* from, bool transposed,
                  const Operand& operand);

/// to[k·n + j] = j == tokens[k] ? rows[k] : base[j] for copies k and rows j of n.
void copy_with_rows(cudaStream_t stream, long copies, int n, int columns, const float* base, const float* rows,
                    const int* tokens, float* to);
/// to[k] = from[k·n + tokens[k]].
void take_rows(cudaStream_t stream, long copies, int n, int columns, const float* from, const int* tokens, float* to);
/// a += b.
void add_to(cudaStream_t stream, long count, float* a, const float* b);

/// squares[k] = Σ (hidden[k] − base)², in double; cotangent = 2(hidden − base) where wanted.
/// `partial` holds copies·kDistanceParts doubles.
inline constexpr int kDistanceParts = 32;
void distances(cudaStream_t stream, long copies, int n, int columns, const float* hidden, const float* base,
               double* partial, double* squares, float* cotangent);

/// out[k] = Σ_j weights[j]·hidden[k·n + j], [copies, columns], and the cotangent of hidden from that of out.
void readout(cudaStream_t stream, long copies, int n, int columns, const float* hidden, const float* weights,
             float* out);
void readout_backward(cudaStream_t stream, long copies, int n, int columns, const float* out_cotangent,
                      const float* weights, float* cotangent);

}  // namespace wordsway::cuda
