// Attention of layers/attention.h on the device, fused: scores exist in registers alone, a tile at a time.
//
//   P_h = softmax(β/√w·Q_h K_gᵀ + bias_h),   context_h = P_h V_g
//
// Products run on tensor cores with operands of the precision (attention_tiles.cuh): three TF32 products for each in
// f32, binary16 in tf32, which has as many bits, bfloat16 in bf16. The backward pass computes P again from the
// logarithms of its sums; rows of keys and of queries have kernels of their own, so that nothing is added up by several
// blocks.
//
// Numbers that came out of a product (operand.cuh) are floats, or bfloat16 in bf16: those are `void` here.
#pragma once

#include <cuda_runtime_api.h>

#include "wordsway/cuda/row_kernels.cuh"

namespace wordsway::cuda {

/// Rows of texts below each other. In a decoder a text may have rows before these, whose keys and values are the same
/// for all texts and not computed again.
struct AttentionTexts {
  int count = 0;
  int longest = 0;               // rows of the longest one
  const int* begins = nullptr;   // [count + 1] first rows, and the end of the last
  const int* firsts = nullptr;   // [count] positions of the first rows; null: 0
  const void* before = nullptr;  // [positions, 2Gw] keys and values at positions before the first row
  int before_stride = 0;         // numbers from one position to the next
};

struct AttentionCall {
  int heads = 0, kv_heads = 0, width = 0;
  float scale = 1;  // β/√w
  bool causal = false;
  int window = -1;                       // a query sees keys at most this far away; −1: all
  const float* distance_bias = nullptr;  // [heads, 2·most − 1] by key − query + most − 1
  int most = 0;
  const void* qkv = nullptr;  // [rows, (H + 2G)w]
  AttentionTexts texts;
  Precision precision = Precision::kF32;
};

/// context: [rows, H·w] as an operand, and in f32, whose operands are taken apart, as floats too. log_sums: [rows, H]
/// for the vjp.
void attention_forward(cudaStream_t stream, const AttentionCall& call, float* context, const Operand& operand,
                       float* log_sums);

/// Scratch of a backward pass.
struct AttentionScratch {
  float* dots;        // [rows, H]
  unsigned* largest;  // [texts]
};

/// The cotangent of qkv, [rows, (H + 2G)w], from that of the context: as floats or as an operand.
/// `context` is what the forward gave, floats or, in bf16, the operand.
void attention_backward(cudaStream_t stream, const AttentionCall& call, const void* context, const float* log_sums,
                        const void* context_cotangent, const AttentionScratch& scratch, float* plain,
                        const Operand& operand);

/// The cotangents of one row of each text: [texts, (H + 2G)w], floats. positions: [texts], the rows. This is one pass
/// over the text, where all rows would take n².
void attention_backward_rows(cudaStream_t stream, const AttentionCall& call, const int* positions, const void* context,
                             const float* log_sums, const void* context_cotangent, float* rows);

}  // namespace wordsway::cuda
