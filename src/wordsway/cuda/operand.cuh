// How a kernel writes numbers that a matrix product reads next: in the precision of the product.
//
//   f32   [rows, 3k] = high | low | high    x = high + low, both of which TF32 can hold: three TF32 products of these
//                                           with high | high | low of the weights have float32's accuracy
//   tf32  [rows, k]  floats, which the product rounds
//   bf16  [rows, k]  bfloat16
#pragma once

#include <cuda_bf16.h>

namespace wordsway::cuda {

__device__ inline float tf32_of(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

struct SplitStore {
  float* data;
  int columns;

  __device__ void put4(long row, int column, float4 v) const {
    float* to = data + row * 3 * columns + column;
    const float4 high = {tf32_of(v.x), tf32_of(v.y), tf32_of(v.z), tf32_of(v.w)};
    *reinterpret_cast<float4*>(to) = high;
    *reinterpret_cast<float4*>(to + columns) = {v.x - high.x, v.y - high.y, v.z - high.z, v.w - high.w};
    *reinterpret_cast<float4*>(to + 2 * columns) = high;
  }
  __device__ void put2(long row, int column, float a, float b) const {
    float* to = data + row * 3 * columns + column;
    const float2 high = {tf32_of(a), tf32_of(b)};
    *reinterpret_cast<float2*>(to) = high;
    *reinterpret_cast<float2*>(to + columns) = {a - high.x, b - high.y};
    *reinterpret_cast<float2*>(to + 2 * columns) = high;
  }
};

struct PlainStore {
  float* data;
  int columns;

  __device__ void put4(long row, int column, float4 v) const {
    *reinterpret_cast<float4*>(data + row * columns + column) = v;
  }
  __device__ void put2(long row, int column, float a, float b) const {
    *reinterpret_cast<float2*>(data + row * columns + column) = {a, b};
  }
};

struct Bf16Store {
  __nv_bfloat16* data;
  int columns;

  __device__ void put4(long row, int column, float4 v) const {
    put2(row, column, v.x, v.y);
    put2(row, column + 2, v.z, v.w);
  }
  __device__ void put2(long row, int column, float a, float b) const {
    *reinterpret_cast<__nv_bfloat162*>(data + row * columns + column) = __floats2bfloat162_rn(a, b);
  }
};

}  // namespace wordsway::cuda
