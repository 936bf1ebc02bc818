// Attention of layers/attention.h on the device, fused: scores exist in registers alone, a tile at a time.
//
//   P_h = softmax(β/√w·Q_h K_gᵀ + bias_h),   context_h = P_h V_g
//
// Products run on tensor cores in TF32: three of them for each in f32 (operand.cuh), one otherwise. The backward pass
// computes P again from the logarithms of its sums; rows of keys and of queries have kernels of their own, so that
// nothing is added up by several blocks.
#pragma once

#include <cuda_runtime_api.h>

#include "wordsway/cuda/row_kernels.cuh"

namespace wordsway::cuda {

/// The widest head that the kernels take.
inline constexpr int kWidestHead = 128;

struct AttentionTexts {
  int count = 0;
  int longest = 0;              // tokens of the longest one
  const int* begins = nullptr;  // [count + 1] first rows, and the end of the last
};

struct AttentionCall {
  int heads = 0, kv_heads = 0, width = 0;
  float scale = 1;  // β/√w
  bool causal = false;
  int window = -1;                       // a query sees keys at most this far away; −1: all
  const float* distance_bias = nullptr;  // [heads, 2·most − 1] by key − query + most − 1
  int most = 0;
  const float* qkv = nullptr;   // [rows, (H + 2G)w]
  const float* bias = nullptr;  // [(H + 2G)w] added to qkv; null: none
  AttentionTexts texts;
  Precision precision = Precision::kF32;
};

/// context: [rows, H·w], as floats where wanted and as an operand; log_sums: [rows, H] for the vjp.
void attention_forward(cudaStream_t stream, const AttentionCall& call, float* context, const Operand& operand,
                       float* log_sums);

/// The cotangent of qkv (bias added), [rows, (H + 2G)w], from that of the context: as floats or as an operand. `dots`:
/// [rows, H] is scratch.
void attention_backward(cudaStream_t stream, const AttentionCall& call, long rows, const float* context,
                        const float* log_sums, const float* context_cotangent, float* dots, float* plain,
                        const Operand& operand);

}  // namespace wordsway::cuda
