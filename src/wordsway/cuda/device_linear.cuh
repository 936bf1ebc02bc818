// Products of rows with a model's weights on the CUDA device, by cuBLAS.
#pragma once

#include <compare>
#include <map>
#include <memory>

#include <cublasLt.h>

#include "wordsway/core/device.h"
#include "wordsway/cuda/device_memory.cuh"
#include "wordsway/model/products/packed_weights.h"

namespace wordsway::cuda {

size_t float_bytes(long rows, long columns);
/// Bytes of rows as operands of products (operand.cuh).
size_t operand_bytes(Precision precision, long rows, int columns);
Buffer upload_floats(const Queue& queue, const float* from, Index count);
/// An empty buffer for an empty row.
Buffer upload_row(const Queue& queue, const RowF& row);
void upload(const Queue& queue, const MatrixF& from, const Buffer& to);
void download(const Queue& queue, const float* from, MatrixF& to);

/// c: [rows, columns] = a·wᵀ, for operands a: [rows, depth] and w: [columns, depth], plus a bias to each row.
struct RowProduct {
  int columns, depth;
  Precision precision;
  bool writes_floats;  // or else what products of the precision write
  bool adds_bias;      // [columns], of the type that is written

  auto operator<=>(const RowProduct&) const = default;
};

/// How cuBLAS computes products. It looks for a kernel whenever the number of rows is new, which takes longer than to
/// multiply few rows, and searches have a new number in every round (docs/decisions/0017-gpu.md). So that is done once
/// for each of a few classes of sizes. A row then has the same bits in all products of a class. Not thread-safe.
class ProductKernels {
 public:
  void multiply(const Queue& queue, const RowProduct& product, long rows, const void* a, const void* w, void* c,
                const void* bias = nullptr);

 private:
  std::map<std::pair<RowProduct, long>, cublasLtMatmulAlgo_t> chosen_;
};

/// y = x·Wᵀ and x̄ = ȳ·W. Weights lie as both products read them; rows of 0 make outputs a multiple of 4.
class DeviceLinear {
 public:
  /// Whether the bias is left to the reader of y, in float32, or added by the product.
  enum class Bias { kLeft, kAdded };

  /// `scratch` is reused from one to the next; all share the kernels.
  DeviceLinear(const Queue& queue, std::shared_ptr<ProductKernels> kernels, const PackedWeights& weight,
               const RowF& bias, Precision precision, Buffer& scratch, Bias where = Bias::kLeft);

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  /// The bias that is left to be added to y, or null.
  const float* bias() const { return where_ == Bias::kLeft ? bias_.as<float>() : nullptr; }

  /// x and ȳ are operands; results are as `results` says: floats, or what products of the precision write.
  enum class Results { kOfPrecision, kFloats };
  void forward(const Queue& queue, long rows, const void* x, void* y, Results results = Results::kOfPrecision) const;
  void backward(const Queue& queue, long rows, const void* y_cotangent, void* x_cotangent,
                Results results = Results::kOfPrecision) const;

 private:
  std::shared_ptr<ProductKernels> kernels_;
  int inputs_, outputs_;
  Precision precision_;
  Bias where_;
  Buffer forward_, backward_, bias_;
};

}  // namespace wordsway::cuda
