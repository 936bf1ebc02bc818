// A DeviceEngine that computes on the processor, with the plainest calls of a second model: it tests what stands above
// the seam where there is no device.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>

#include "wordsway/model/transformer.h"

namespace wordsway::test {

class ProcessorEngine final : public DeviceEngine {
 public:
  explicit ProcessorEngine(const std::filesystem::path& folder) : model_(Transformer::load(folder)) {}

  Device device() const override { return {DeviceKind::kCuda, Precision::kF32}; }
  std::string name() const override { return "the processor"; }
  Index batch_rows() const override { return 512; }
  MatrixF forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const override {
    ++forwards;
    return model_->forward(x, layer, mask);
  }
  std::vector<MatrixF> hidden_states(ConstMatrixFRef x, Index layers, const AttentionMask& mask) const override {
    ++forwards;
    layers_asked = layers;
    auto states = model_->hidden_states(x, mask);
    states.resize(static_cast<size_t>(layers) + 1);
    return states;
  }
  std::unique_ptr<DeviceText> text(ConstMatrixFRef x, Index layer) const override;
  std::unique_ptr<DeviceCache> make_cache() const override;
  MatrixF extend(ConstMatrixFRef x, DeviceCache& cache, Index tokens) const override;
  MatrixF logits(ConstMatrixFRef hidden) const override {
    ++products;
    return model_->logits(hidden);
  }
  MatrixF logits_vjp(ConstMatrixFRef cotangent) const override { return model_->logits_vjp(cotangent); }

  mutable std::atomic<int> forwards{0};        // of texts
  mutable std::atomic<Index> layers_asked{0};  // of the last one whose states were asked for
  mutable std::atomic<int> batches{0};         // of copies
  mutable std::atomic<int> copies{0};
  mutable std::atomic<int> extensions{0};  // of texts that grow
  mutable std::atomic<int> products{0};    // with the table of next words

 private:
  std::shared_ptr<const Transformer> model_;
};

/// The model of a folder with such an engine, and the engine.
struct ModelWithEngine {
  std::shared_ptr<Transformer> transformer;
  std::shared_ptr<const ProcessorEngine> engine;
};
ModelWithEngine load_with_engine(const std::filesystem::path& folder);

}  // namespace wordsway::test
