#include "wordsway/cuda/cuda_engine.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/cuda/device_text.cuh"

namespace wordsway {
namespace cuda {
namespace {

std::vector<Index> lengths_of(const AttentionMask& mask, Index rows) {
  std::vector<Index> lengths;
  for (const RowRange& text : mask.texts(rows)) lengths.push_back(text.size());
  return lengths;
}

/// Keys and values of a text that grows, on the device.
class Cache final : public DeviceCache {
 public:
  explicit Cache(std::shared_ptr<const DeviceBlocks> blocks) : blocks_(std::move(blocks)) {}

  std::unique_ptr<DeviceCache> copy() const override {
    const std::lock_guard lock(blocks_->mutex());
    auto result = std::make_unique<Cache>(blocks_);
    result->grow_to(positions_);
    for (size_t l = 0; l < rows_.layers.size(); ++l)
      blocks_->queue().copy_here(rows_.layers[l], result->rows_.layers[l], rows_.layers[l].bytes());
    blocks_->queue().wait();
    return result;
  }
  Index bytes() const override { return positions_ * static_cast<Index>(blocks_->cache_bytes(1) * blocks_->layers()); }

  // Room grows by half, as that of KeyValueCache does.
  void reserve(Index positions) {
    constexpr Index kLeast = 64;
    if (positions > positions_) grow_to(std::max({positions, positions_ + positions_ / 2, kLeast}));
  }
  KnownRows& rows() { return rows_; }

 private:
  void grow_to(Index positions) {
    KnownRows larger = blocks_->make_cache(positions);
    for (size_t l = 0; l < rows_.layers.size(); ++l)
      blocks_->queue().copy_here(rows_.layers[l], larger.layers[l], rows_.layers[l].bytes());
    blocks_->queue().wait();
    rows_ = std::move(larger);
    positions_ = positions;
  }

  std::shared_ptr<const DeviceBlocks> blocks_;
  Index positions_ = 0;
  KnownRows rows_;
};

class CudaEngine final : public DeviceEngine {
 public:
  CudaEngine(const Transformer& transformer, Precision precision)
      : blocks_(std::make_shared<const DeviceBlocks>(transformer, precision)),
        causal_(transformer.is_decoder()),
        name_(cuda_device_name()) {
    const PackedWeights* table = transformer.next_word_table();
    if (table == nullptr) return;
    Buffer scratch;
    head_.emplace(queue(), blocks_->kernels(), *table, RowF(), precision, scratch);
    words_ = table->outputs();
    queue().wait();
  }

  Device device() const override { return {DeviceKind::kCuda, blocks_->precision()}; }
  std::string name() const override { return name_; }
  Index batch_rows() const override { return kMostTexts; }

  MatrixF forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const override {
    MatrixF result = x;
    run(x, layer, mask, [&](size_t at, const float* state) {
      if (at == static_cast<size_t>(layer)) download(queue(), state, result);
    });
    return result;
  }

  std::vector<MatrixF> hidden_states(ConstMatrixFRef x, Index layers, const AttentionMask& mask) const override {
    std::vector<MatrixF> states = {x};
    run(x, layers, mask, [&](size_t, const float* state) {
      states.emplace_back(x.rows(), x.cols());
      download(queue(), state, states.back());
    });
    return states;
  }

  std::unique_ptr<DeviceText> text(ConstMatrixFRef x, Index layer) const override {
    return make_device_text(blocks_, transfers_, causal_, x, layer);
  }

  std::unique_ptr<DeviceCache> make_cache() const override { return std::make_unique<Cache>(blocks_); }

  MatrixF extend(ConstMatrixFRef x, DeviceCache& of_text, Index tokens) const override {
    const std::lock_guard lock(blocks_->mutex());
    auto& cache = dynamic_cast<Cache&>(of_text);
    cache.reserve(tokens + x.rows());
    const MatrixF rows = x;
    Scratch& scratch = blocks_->scratch();
    const Texts& texts = blocks_->texts(std::array{x.rows()}, std::array{tokens});
    scratch.states.reserve(float_bytes(x.rows(), blocks_->d()));
    upload(queue(), rows, scratch.states);
    blocks_->forward({texts, blocks_->layers(), false, nullptr, &cache.rows(), &cache.rows(), tokens});
    MatrixF result(x.rows(), x.cols());
    download(queue(), scratch.states.as<float>(), result);
    return result;
  }

  // The head has as many words more, of nothing, as make a multiple of 4.
  MatrixF logits(ConstMatrixFRef hidden) const override {
    return by_head(hidden, head_->outputs(),
                   [&](long rows, const void* operand, float* to) {
                     head_->forward(queue(), rows, operand, to, DeviceLinear::Results::kFloats);
                   })
        .leftCols(words_);
  }
  MatrixF logits_vjp(ConstMatrixFRef cotangent) const override {
    MatrixF padded = MatrixF::Zero(cotangent.rows(), head_->outputs());
    padded.leftCols(words_) = cotangent;
    return by_head(padded, head_->inputs(), [&](long rows, const void* operand, float* to) {
      head_->backward(queue(), rows, operand, to, DeviceLinear::Results::kFloats);
    });
  }

 private:
  const Queue& queue() const { return blocks_->queue(); }

  void run(ConstMatrixFRef x, Index layer, const AttentionMask& mask,
           const std::function<void(size_t, const float*)>& each) const {
    const std::lock_guard lock(blocks_->mutex());
    const MatrixF rows = x;
    Scratch& scratch = blocks_->scratch();
    const Texts& texts = blocks_->texts(lengths_of(mask, x.rows()));
    scratch.states.reserve(float_bytes(texts.rows, blocks_->d()));
    upload(queue(), rows, scratch.states);
    blocks_->forward({texts, static_cast<size_t>(layer)}, each);
  }

  // Between a forward and its vjp too: the scratch of the blocks stays as it is.
  template <typename Product>
  MatrixF by_head(const MatrixF& rows, int outputs, const Product& product) const {
    const std::lock_guard lock(blocks_->mutex());
    const auto inputs = static_cast<int>(rows.cols());
    MatrixF result(rows.rows(), outputs);
    head_rows_.reserve(float_bytes(rows.rows(), inputs));
    head_operand_.reserve(3 * float_bytes(rows.rows(), inputs));
    head_results_.reserve(float_bytes(rows.rows(), outputs));
    upload(queue(), rows, head_rows_);
    make_operand(queue().stream(), rows.rows(), inputs, head_rows_.as<float>(), inputs,
                 {head_operand_.as<void>(), inputs, blocks_->precision()});
    product(rows.rows(), head_operand_.as<void>(), head_results_.as<float>());
    download(queue(), head_results_.as<float>(), result);
    return result;
  }

  std::shared_ptr<const DeviceBlocks> blocks_;
  std::shared_ptr<Transfers> transfers_ = std::make_shared<Transfers>();
  bool causal_;
  std::string name_;
  std::optional<DeviceLinear> head_;  // of the next word
  Index words_ = 0;
  mutable Buffer head_rows_, head_operand_, head_results_;
};

}  // namespace
}  // namespace cuda

bool cuda_is_built() {
  return true;
}

std::string cuda_device_name() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0)
    throw UsageError(fmt::format("this machine has no CUDA device that can be used ({}): leave --device cpu",
                                 status != cudaSuccess ? cudaGetErrorString(status) : "none was found"));
  cudaDeviceProp properties;
  cuda::check(cudaGetDeviceProperties(&properties, 0), "asking for its name");
  return properties.name;
}

std::shared_ptr<const DeviceEngine> make_cuda_engine(const Transformer& transformer, Precision precision) {
  cuda_device_name();
  return std::make_shared<cuda::CudaEngine>(transformer, precision);
}

}  // namespace wordsway
