// How a kernel writes numbers that a matrix product reads next: in the precision of the product.
//
//   f32   [rows, 3k] = high | low | high    x = high + low, both of which TF32 can hold: three TF32 products of these
//                                           with high | high | low of the weights have float32's accuracy
//   tf32  [rows, k]  floats, which the product rounds
//   bf16  [rows, k]  bfloat16
//
// A product writes floats, or bfloat16 in bf16: `Product`. What follows it computes in float32.
#pragma once

#include <cuda_bf16.h>

namespace wordsway::cuda {

__device__ inline float tf32_of(float x) {
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return __uint_as_float(bits);
}

// Four numbers as they lie in memory, and as floats: a kernel that has several loads on their way widens them later.
__device__ inline float4 raw4(const float* from) {
  return *reinterpret_cast<const float4*>(from);
}
__device__ inline uint2 raw4(const __nv_bfloat16* from) {
  return *reinterpret_cast<const uint2*>(from);
}
__device__ inline float4 widened(float4 raw) {
  return raw;
}
__device__ inline float4 widened(uint2 raw) {  // a bfloat16 is the upper half of a float
  return {__uint_as_float(raw.x << 16), __uint_as_float(raw.x & 0xffff0000u), __uint_as_float(raw.y << 16),
          __uint_as_float(raw.y & 0xffff0000u)};
}
template <typename Number>
__device__ float4 load4(const Number* from) {
  return widened(raw4(from));
}

__device__ inline unsigned packed_bf16(float a, float b) {
  const __nv_bfloat162 both = __floats2bfloat162_rn(a, b);
  return reinterpret_cast<const unsigned&>(both);
}
__device__ inline void store4(float* to, float4 v) {
  *reinterpret_cast<float4*>(to) = v;
}
__device__ inline void store4(__nv_bfloat16* to, float4 v) {
  *reinterpret_cast<uint2*>(to) = {packed_bf16(v.x, v.y), packed_bf16(v.z, v.w)};
}
__device__ inline float4 operator+(float4 a, float4 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}
__device__ inline float4 operator*(float4 a, float4 b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w};
}
__device__ inline float4 operator*(float4 a, float b) {
  return {a.x * b, a.y * b, a.z * b, a.w * b};
}
__device__ inline float4 operator-(float4 a, float b) {
  return {a.x - b, a.y - b, a.z - b, a.w - b};
}
__device__ inline float4 operator-(float4 a, float4 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
}
__device__ inline float sum4(float4 a) {
  return (a.x + a.y) + (a.z + a.w);
}

struct SplitStore {
  using Product = float;
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
  using Product = float;
  float* data;
  int columns;

  __device__ void put4(long row, int column, float4 v) const { store4(data + row * columns + column, v); }
  __device__ void put2(long row, int column, float a, float b) const {
    *reinterpret_cast<float2*>(data + row * columns + column) = {a, b};
  }
};

struct Bf16Store {
  using Product = __nv_bfloat16;
  __nv_bfloat16* data;
  int columns;

  __device__ void put4(long row, int column, float4 v) const { store4(data + row * columns + column, v); }
  __device__ void put2(long row, int column, float a, float b) const {
    *reinterpret_cast<unsigned*>(data + row * columns + column) = packed_bf16(a, b);
  }
};

}  // namespace wordsway::cuda
