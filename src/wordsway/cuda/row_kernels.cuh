// Everything between the matrix products of a transformer but the attention: kernels that go over rows once.
//
// Matrices lie on the device, row by row, float32. An `Operand` is written in the precision of the product that reads
// it, and what a product wrote, `void` here, is read as that precision has it (operand.cuh). Sums have a fixed order:
// the same rows give the same bits. All widths are multiples of 4.
#pragma once

#include <cuda_runtime_api.h>

#include "wordsway/core/device.h"
#include "wordsway/maps/random_features/activation_table.h"

namespace wordsway::cuda {

/// Without data: not wanted, but the precision counts.
struct Operand {
  void* data = nullptr;
  int columns = 0;
  Precision precision = Precision::kF32;
};

/// x = product + product_bias + residual (each may be null), y = norm(x).
struct NormForward {
  const void* product = nullptr;
  const float *product_bias = nullptr, *residual = nullptr;
  const float *gain = nullptr, *bias = nullptr;  // no gain: y is x
  float epsilon = 0;
  bool centred = true;
  float *sum = nullptr, *inverse = nullptr, *plain = nullptr;  // x, what the vjp needs, y
  void* normalised = nullptr;                                  // what the vjp needs, as products are written
  Operand operand;
};
void norm_forward(cudaStream_t stream, long rows, int columns, const NormForward& norm);

/// The cotangent of x from that of y, which is the sum of both where both are given; plus `add`.
struct NormBackward {
  const void* product = nullptr;
  const float* cotangent = nullptr;
  const float *gain = nullptr, *inverse = nullptr;  // no gain: y was x
  const void* normalised = nullptr;
  bool centred = true;
  const float* add = nullptr;
  float* plain = nullptr;
  Operand operand;
};
void norm_backward(cudaStream_t stream, long rows, int columns, const NormBackward& norm);

/// The widest head of attention that the kernels take.
inline constexpr int kWidestHead = 128;

/// σ(u + bias), or σ(a)∘b with [a, b] = u + bias where gated; u: [rows, f] or [rows, 2f].
struct Activate {
  ActivationKind kind = ActivationKind::kGelu;
  bool gated = false;
  const void* inside = nullptr;
  const float* bias = nullptr;
  Operand operand;
};
void activation_forward(cudaStream_t stream, long rows, int columns, const Activate& activate);
/// The cotangent of u from that of the result, [rows, f].
void activation_backward(cudaStream_t stream, long rows, int columns, const Activate& activate, const void* cotangent);

/// Queries and keys of qkv, [rows, (H + 2G)w]: norms of heads, rotary positions, in place.
struct Heads {
  int heads = 0, kv_heads = 0, width = 0;
  const float *query_gain = nullptr, *key_gain = nullptr;  // null: no norms
  float epsilon = 0;
  const float *cosines = nullptr, *sines = nullptr;  // [positions, w/2]; null: nothing turns
  const int* positions = nullptr;                    // [rows] of each row in its text
  float *normalised = nullptr, *inverse = nullptr;   // [rows, (H + G)w], [rows, H + G]: what the vjp needs
};
void heads_forward(cudaStream_t stream, long rows, const Heads& heads, Precision precision, void* qkv);
/// From the cotangent after heads_forward, in place, to the operand of the product before it.
void heads_backward(cudaStream_t stream, long rows, const Heads& heads, float* qkv_cotangent, const Operand& operand);

/// The numbers of a matrix, [rows, columns] with this many from row to row, as an operand.
void make_operand(cudaStream_t stream, long rows, int columns, const float* from, long stride, const Operand& operand);
/// Makes an operand of weights: high | high | low for f32. Transposed: from [columns, rows].
void make_weights(cudaStream_t stream, long rows, int columns, const float* from, bool transposed,
                  const Operand& operand);

}  // namespace wordsway::cuda
