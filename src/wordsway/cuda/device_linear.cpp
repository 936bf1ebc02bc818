#include "wordsway/cuda/device_linear.cuh"

#include <algorithm>

#include "wordsway/core/error.h"
#include "wordsway/cuda/row_kernels.cuh"

namespace wordsway::cuda {
namespace {

int parts_of(Precision precision) {
  return precision == Precision::kF32 ? 3 : 1;
}

// Rows of the products that a kernel is chosen for: a power of 4, times 8.
long size_class(long rows) {
  long most = 8;
  while (most < rows) most *= 4;
  return most;
}

// A product as cuBLAS describes it, which counts columns first: (w as rows below each other)ᵀ times aᵀ.
struct Layouts {
  cublasLtMatmulDescOpaque_t product;
  cublasLtMatrixLayoutOpaque_t w, a, c;

  Layouts(const RowProduct& shape, long rows, const void* bias) {
    const bool halves = shape.precision == Precision::kBf16;
    const cudaDataType_t type = halves ? CUDA_R_16BF : CUDA_R_32F;
    const cudaDataType_t written = shape.writes_floats ? CUDA_R_32F : type;
    const cublasOperation_t transposed = CUBLAS_OP_T;
    const auto columns = static_cast<uint64_t>(shape.columns), depth = static_cast<uint64_t>(shape.depth);
    const auto count = static_cast<uint64_t>(rows);
    check(cublasLtMatmulDescInit(&product, halves ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F),
          "describing a product");
    set(CUBLASLT_MATMUL_DESC_TRANSA, transposed);
    if (shape.adds_bias) {
      set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
      set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    }
    check(cublasLtMatrixLayoutInit(&w, type, depth, columns, shape.depth), "describing a product");
    check(cublasLtMatrixLayoutInit(&a, type, depth, count, shape.depth), "describing a product");
    check(cublasLtMatrixLayoutInit(&c, written, columns, count, shape.columns), "describing a product");
  }

 private:
  template <typename Value>
  void set(cublasLtMatmulDescAttributes_t attribute, const Value& value) {
    check(cublasLtMatmulDescSetAttribute(&product, attribute, &value, sizeof value), "describing a product");
  }
};

cublasLtMatmulAlgo_t choose_kernel(const Queue& queue, const RowProduct& shape, long rows, const void* bias) {
  Layouts layouts(shape, rows, bias);
  cublasLtMatmulPreferenceOpaque_t preference;
  check(cublasLtMatmulPreferenceInit(&preference), "choosing a product");
  const size_t bytes = queue.workspace().bytes();
  check(
      cublasLtMatmulPreferenceSetAttribute(&preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &bytes, sizeof bytes),
      "choosing a product");
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  check(cublasLtMatmulAlgoGetHeuristic(queue.blas_lt(), &layouts.product, &layouts.w, &layouts.a, &layouts.c,
                                       &layouts.c, &preference, 1, &best, &found),
        "choosing a product");
  if (found == 0) check(CUBLAS_STATUS_NOT_SUPPORTED, "choosing a product");
  return best.algo;
}

}  // namespace

size_t float_bytes(long rows, long columns) {
  return sizeof(float) * static_cast<size_t>(rows) * static_cast<size_t>(columns);
}

size_t operand_bytes(Precision precision, long rows, int columns) {
  const size_t each = precision == Precision::kBf16 ? 2 : 4;
  return each * static_cast<size_t>(parts_of(precision)) * static_cast<size_t>(rows) * static_cast<size_t>(columns);
}

Buffer upload_floats(const Queue& queue, const float* from, Index count) {
  Buffer to(float_bytes(1, count));
  queue.upload(std::span(from, static_cast<size_t>(count)), to.as<float>());
  return to;
}

Buffer upload_row(const Queue& queue, const RowF& row) {
  return row.size() > 0 ? upload_floats(queue, row.data(), row.size()) : Buffer();
}

void upload(const Queue& queue, const MatrixF& from, const Buffer& to) {
  queue.upload(std::span(from.data(), static_cast<size_t>(from.size())), to.as<float>());
}

void download(const Queue& queue, const float* from, MatrixF& to) {
  queue.download(from, std::span(to.data(), static_cast<size_t>(to.size())));
}

void ProductKernels::multiply(const Queue& queue, const RowProduct& product, long rows, const void* a, const void* w,
                              void* c, const void* bias) {
  Layouts layouts(product, rows, bias);
  const float one = 1, zero = 0;
  const Buffer& workspace = queue.workspace();
  cublasStatus_t status = CUBLAS_STATUS_NOT_SUPPORTED;
  // Some kernels are for very few rows and take no others.
  for (const long chosen_for : {size_class(rows), rows}) {
    const std::pair key(product, chosen_for);
    auto kernel = chosen_.find(key);
    if (kernel == chosen_.end()) kernel = chosen_.emplace(key, choose_kernel(queue, product, chosen_for, bias)).first;
    status = cublasLtMatmul(queue.blas_lt(), &layouts.product, &one, w, &layouts.w, a, &layouts.a, &zero, c, &layouts.c,
                            c, &layouts.c, &kernel->second, workspace.as<void>(), workspace.bytes(), queue.stream());
    if (status != CUBLAS_STATUS_NOT_SUPPORTED) break;
  }
  check(status, "a matrix product");
}

DeviceLinear::DeviceLinear(const Queue& queue, std::shared_ptr<ProductKernels> kernels, const PackedWeights& weight,
                           const RowF& bias, Precision precision, Buffer& scratch, Bias where)
    : kernels_(std::move(kernels)),
      inputs_(static_cast<int>(weight.inputs())),
      outputs_(static_cast<int>((weight.outputs() + 3) / 4 * 4)),
      precision_(precision),
      where_(where),
      forward_(operand_bytes(precision, outputs_, inputs_)),
      backward_(operand_bytes(precision, inputs_, outputs_)),
      bias_(upload_row(queue, bias)) {
  scratch.reserve(float_bytes(outputs_, inputs_));
  check(cudaMemsetAsync(scratch.as<void>(), 0, float_bytes(outputs_, inputs_), queue.stream()), "clearing");
  constexpr Index kRows = 4096;
  for (Index row = 0; row < weight.outputs(); row += kRows) {
    const MatrixF rows = weight.rows(row, std::min<Index>(kRows, weight.outputs() - row));
    queue.upload(std::span(rows.data(), static_cast<size_t>(rows.size())), scratch.as<float>() + row * inputs_);
    queue.wait();
  }
  make_weights(queue.stream(), outputs_, inputs_, scratch.as<float>(), false,
               {forward_.as<void>(), inputs_, precision});
  make_weights(queue.stream(), inputs_, outputs_, scratch.as<float>(), true,
               {backward_.as<void>(), outputs_, precision});
  if (where == Bias::kAdded && bias.size() > 0) {
    RowF whole = RowF::Zero(outputs_);
    whole.head(bias.size()) = bias;
    bias_ = upload_row(queue, whole);
    if (precision == Precision::kBf16) {
      Buffer rounded(operand_bytes(precision, 1, outputs_));
      make_operand(queue.stream(), 1, outputs_, bias_.as<float>(), outputs_, {rounded.as<void>(), outputs_, precision});
      queue.wait();
      bias_ = std::move(rounded);
    }
  }
}

void DeviceLinear::forward(const Queue& queue, long rows, const void* x, void* y, Results results) const {
  const void* added = where_ == Bias::kAdded ? bias_.as<void>() : nullptr;
  const RowProduct product{outputs_, parts_of(precision_) * inputs_, precision_, results == Results::kFloats,
                           added != nullptr};
  kernels_->multiply(queue, product, rows, x, forward_.as<void>(), y, added);
}

void DeviceLinear::backward(const Queue& queue, long rows, const void* y_cotangent, void* x_cotangent,
                            Results results) const {
  const RowProduct product{inputs_, parts_of(precision_) * outputs_, precision_, results == Results::kFloats, false};
  kernels_->multiply(queue, product, rows, y_cotangent, backward_.as<void>(), x_cotangent);
}

}  // namespace wordsway::cuda
