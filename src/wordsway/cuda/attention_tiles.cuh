// Tiles of queries, keys and values in shared memory, and their products on tensor cores, by the precision of the
// products. A kernel of attention is written once for all of them: a warp has 16 rows of the tile that stays, and
// results lie in registers as every mma.sync of 16 rows and 8 columns leaves them.
//
//   SplitTiles  floats, taken apart as they are read: three TF32 products have float32's accuracy (operand.cuh)
//   HalfTiles   16 bits: bfloat16, or binary16, which has TF32's 11 bits in half the memory and at twice the rate
#pragma once

#include <cuda_fp16.h>

#include "wordsway/cuda/operand.cuh"

namespace wordsway::cuda {

// Four blocks of 8 rows and 16 bytes from shared memory: lane 4r + c gets bytes 4c ... of row r of each. Lane 8k + r
// says where row r of block k is.
__device__ inline void load_blocks(unsigned (&to)[4], const void* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}

// Loads blocks of 8 × 8 numbers of 16 bits, each transposed.
__device__ inline void load_blocks_transposed(unsigned (&to)[4], const void* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(address));
}

// Rows of the tile that stays: texts of few tokens have few.
constexpr int kShortText = 32;

template <int kColumns, int kRows>
struct SplitTiles {
  using Number = float;
  static constexpr int kWidth = kColumns;
  static constexpr bool kScaled = false;  // whether cotangents are scaled into the range of Number
  static constexpr int kStaying = kRows;
  static constexpr int kMovingKeys = kRows == kShortText || kWidth > 64 ? 32 : 64, kMovingQueries = kMovingKeys;
  // Blocks on a multiprocessor, for which the compiler keeps registers: 384 threads of them, 256 where heads are wide.
  static constexpr int kBlocks = (kWidth > 64 ? 256 : 384) / (2 * kStaying);
  // From row to row: +4 spreads what a warp reads at once over all banks, by rows and by columns.
  static constexpr int kStride = kWidth + 4;

  __device__ static void put4(float* to, float4 v) { *reinterpret_cast<float4*>(to) = v; }
  __device__ static float exp2(float x) { return exp2f(x); }

  // c[t] += A·Bᵀ for 16 rows of A and rows 8t ... of B, both [rows, kWidth].
  template <int kTiles>
  __device__ static void multiply_rows(float (&c)[kTiles][4], const float* a_rows, const float* b_rows) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < kWidth; k += 8) {
      unsigned bits[4];
      load_blocks(bits, a_rows + (lane % 8 + 8 * (lane / 8 % 2)) * kStride + 4 * (lane / 16) + k);
      const Parts<4> a(bits);
#pragma unroll
      for (int t = 0; t < kTiles; t += 2) {
        load_blocks(bits, b_rows + (8 * t + lane % 8 + 8 * (lane / 16)) * kStride + 4 * (lane / 8 % 2) + k);
        multiply(c[t], a, Parts<2>({bits[0], bits[1]}));
        multiply(c[t + 1], a, Parts<2>({bits[2], bits[3]}));
      }
    }
  }

  // c[u] += P·B for P in the registers of a product, [16, 8·kTiles], and columns 8u ... of B, [8·kTiles, kWidth]. These
  // registers have columns 2q and 2q + 1 where an operand has q and q + 4: B's rows are taken in the same order.
  template <int kTiles>
  __device__ static void multiply_tile(float (&c)[kWidth / 8][4], const float (&p)[kTiles][4], const float* b_rows) {
    const int lane = threadIdx.x % 32, column = lane / 4, pair = 2 * (lane % 4);
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      const Parts<4> a(
          {__float_as_uint(p[t][0]), __float_as_uint(p[t][2]), __float_as_uint(p[t][1]), __float_as_uint(p[t][3])});
      const float* from = b_rows + (8 * t + pair) * kStride + column;
#pragma unroll
      for (int u = 0; u < kWidth / 8; ++u)
        multiply(c[u], a, Parts<2>({__float_as_uint(from[8 * u]), __float_as_uint(from[kStride + 8 * u])}));
    }
  }

 private:
  // Floats as a TF32 number and what that leaves out.
  template <int kCount>
  struct Parts {
    unsigned high[kCount], low[kCount];

    __device__ explicit Parts(const unsigned (&floats)[kCount]) {
#pragma unroll
      for (int k = 0; k < kCount; ++k) {
        const float x = __uint_as_float(floats[k]), rounded = tf32_of(x);
        high[k] = __float_as_uint(rounded);
        low[k] = __float_as_uint(x - rounded);
      }
    }
  };

  __device__ static void mma(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  __device__ static void multiply(float (&c)[4], const Parts<4>& a, const Parts<2>& b) {
    mma(c, a.low, b.high);  // small terms first
    mma(c, a.high, b.low);
    mma(c, a.high, b.high);
  }
};

template <int kColumns, int kRows, typename Half>
struct HalfTiles {
  using Number = Half;
  static constexpr int kWidth = kColumns;
  // Gradients may have any size, and binary16 ends at 2^16 and 2^-24.
  static constexpr bool kScaled = std::is_same_v<Half, __half>;
  static constexpr int kStaying = kRows;
  static constexpr int kMovingKeys = kRows == kShortText || kWidth > 64 ? 32 : 64, kMovingQueries = 32;
  static constexpr int kBlocks = (kWidth > 64 ? 256 : 512) / (2 * kStaying);
  static constexpr int kStride = kWidth + 8;

  __device__ static void put4(Half* to, float4 v) {
    *reinterpret_cast<uint2*>(to) = {packed(v.x, v.y), packed(v.z, v.w)};
  }
  __device__ static float exp2(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  }

  template <int kTiles>
  __device__ static void multiply_rows(float (&c)[kTiles][4], const Half* a_rows, const Half* b_rows) {
    const int lane = threadIdx.x % 32;
    const Half* a_at = a_rows + lane % 16 * kStride + 8 * (lane / 16);
    const Half* b_at = b_rows + (lane % 8 + 8 * (lane / 16)) * kStride + 8 * (lane / 8 % 2);
#pragma unroll
    for (int k = 0; k < kWidth; k += 16) {
      unsigned a[4], b[4];
      load_blocks(a, a_at + k);
#pragma unroll
      for (int t = 0; t < kTiles; t += 2) {
        load_blocks(b, b_at + 8 * t * kStride + k);
        mma(c[t], a, b[0], b[1]);
        mma(c[t + 1], a, b[2], b[3]);
      }
    }
  }

  template <int kTiles>
  __device__ static void multiply_tile(float (&c)[kWidth / 8][4], const float (&p)[kTiles][4], const Half* b_rows) {
    const int lane = threadIdx.x % 32;
    const Half* b_at = b_rows + lane % 16 * kStride + 8 * (lane / 16);
#pragma unroll
    for (int t = 0; t < kTiles; t += 2) {
      const unsigned a[4] = {packed(p[t][0], p[t][1]), packed(p[t][2], p[t][3]), packed(p[t + 1][0], p[t + 1][1]),
                             packed(p[t + 1][2], p[t + 1][3])};
#pragma unroll
      for (int u = 0; u < kWidth / 8; u += 2) {
        unsigned b[4];
        load_blocks_transposed(b, b_at + 8 * t * kStride + 8 * u);
        mma(c[u], a, b[0], b[1]);
        mma(c[u + 1], a, b[2], b[3]);
      }
    }
  }

  // The 16 rows of P in the registers of a product into shared memory, [16, kStrideTo].
  template <int kStrideTo, int kTiles>
  __device__ static void put_tile(Half* to, const float (&p)[kTiles][4]) {
    const int lane = threadIdx.x % 32;
    Half* at = to + lane / 4 * kStrideTo + 2 * (lane % 4);
#pragma unroll
    for (int t = 0; t < kTiles; ++t) {
      *reinterpret_cast<unsigned*>(at + 8 * t) = packed(p[t][0], p[t][1]);
      *reinterpret_cast<unsigned*>(at + 8 * kStrideTo + 8 * t) = packed(p[t][2], p[t][3]);
    }
  }

  // c[u] += Aᵀ·B for 16 columns of A, [rows, kStrideA], and columns 8u ... of B, [rows, kStride]; rows come by 16.
  template <int kStrideA, int kTiles>
  __device__ static void multiply_columns(float (&c)[kTiles][4], const Half* a_columns, const Half* b_rows, int rows) {
    const int lane = threadIdx.x % 32;
    const Half* a_at = a_columns + (lane % 8 + 8 * (lane / 16)) * kStrideA + 8 * (lane / 8 % 2);
    const Half* b_at = b_rows + lane % 16 * kStride + 8 * (lane / 16);
    for (int k = 0; k < rows; k += 16) {
      unsigned a[4], b[4];
      load_blocks_transposed(a, a_at + k * kStrideA);
#pragma unroll
      for (int u = 0; u < kTiles; u += 2) {
        load_blocks_transposed(b, b_at + k * kStride + 8 * u);
        mma(c[u], a, b[0], b[1]);
        mma(c[u + 1], a, b[2], b[3]);
      }
    }
  }

 private:
  __device__ static unsigned packed(float a, float b) {
    if constexpr (std::is_same_v<Half, __half>) {
      const __half2 both = __floats2half2_rn(a, b);
      return reinterpret_cast<const unsigned&>(both);
    } else {
      return packed_bf16(a, b);
    }
  }
  __device__ static void mma(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
    if constexpr (std::is_same_v<Half, __half>) {
      asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    } else {
      asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
  }
};

}  // namespace wordsway::cuda
