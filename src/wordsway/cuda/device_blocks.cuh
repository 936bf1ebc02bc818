// The blocks of a transformer on the CUDA device: their weights, forwards over rows of texts, and vector-Jacobian
// products back to rows that were moved.
//
// Texts lie below each other. In a decoder a text may begin with rows that were computed before (KnownRows): these are
// looked at and not computed again.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/cuda/attention_kernels.cuh"
#include "wordsway/cuda/copy_kernels.cuh"
#include "wordsway/cuda/device_linear.cuh"
#include "wordsway/cuda/device_memory.cuh"
#include "wordsway/cuda/row_kernels.cuh"
#include "wordsway/model/transformer.h"

namespace wordsway {
class Rotary;
}  // namespace wordsway

namespace wordsway::cuda {

/// The first rows and positions of texts that are stored below each other.
class Texts {
 public:
  long rows = 0;
  int count = 0, longest = 0;
  Buffer begins, firsts, positions;

  /// `first_positions`: those of their first rows; empty for 0. What the device has already is not sent again: fewer
  /// of the same texts are the beginning of them.
  void set(const Queue& queue, std::span<const Index> lengths, std::span<const Index> first_positions);

 private:
  void send(const Queue& queue);

  std::vector<Index> lengths_, first_positions_;  // of the texts that the device knows
};

/// Copies of one text whose rows are moved, and what the first layer shares with the text.
struct Moved {
  Copies copies;
  const float* rows;        // [copies, d] in place of those that moved
  const Buffer* projected;  // [n, (H + 2G)w] of the text in the first layer
};

/// Keys and values, layer by layer, of the positions before the rows of texts.
struct KnownRows {
  std::vector<Buffer> layers;         // [positions, columns]
  int columns = 0, first_column = 0;  // keys begin there, values follow
};

/// The texts and layers of a forward pass.
struct Pass {
  const Texts& texts;
  size_t layer = 0;   // up to which
  bool keep = false;  // leaves a trace of every layer
  const Moved* moved = nullptr;
  const KnownRows* before = nullptr;  // of texts that do not begin at position 0
  KnownRows* append = nullptr;        // takes the keys and values of these rows, of one text, at their positions
  long appended_at = 0;               // the first of these positions
};

/// What a layer's forward pass keeps for its vjp.
struct DeviceTrace {
  Buffer qkv, context, log_sums, inside;
  Buffer attention_normalised, attention_inverse, output_normalised, output_inverse;  // post-norm: LN₁, LN₂
  Buffer first_normalised, first_inverse;                                             // pre-norm: LN₁
  Buffer head_normalised, head_inverse;

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const Buffer* buffer :
         {&qkv, &context, &log_sums, &inside, &attention_normalised, &attention_inverse, &output_normalised,
          &output_inverse, &first_normalised, &first_inverse, &head_normalised, &head_inverse})
      visit(*buffer);
  }
};

/// Memory of a forward and a vjp.
struct Scratch {
  Buffer states, next, middle, residual, cotangent;   // [rows, d]
  Buffer product, operand, projected, dots, largest;  // of the widest matrix; [rows, (H + 2G)w]; [rows, H]; [texts]
  Buffer tokens, moved, moved_qkv;                    // of the copies' own rows
  Buffer squares, partial, weights, readouts;

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const Buffer* buffer : {&states, &next, &middle, &residual, &cotangent, &product, &operand, &projected, &dots})
      visit(*buffer);
  }
};

struct DeviceAngles;
struct DeviceBlock;

/// Users of the scratch memory hold the mutex.
class DeviceBlocks {
 public:
  /// Throws UsageError when the weights do not fit, or the model has a part that the device does not support.
  DeviceBlocks(const Transformer& transformer, Precision precision);
  ~DeviceBlocks();

  Precision precision() const { return precision_; }
  const Queue& queue() const { return queue_; }
  const std::shared_ptr<ProductKernels>& kernels() const { return kernels_; }
  int d() const { return d_; }
  size_t layers() const { return blocks_.size(); }
  std::recursive_mutex& mutex() const { return mutex_; }
  Scratch& scratch() const { return scratch_; }

  /// Texts of these lengths (Texts::set), until others are asked for.
  const Texts& texts(std::span<const Index> lengths, std::span<const Index> firsts = {}) const;

  /// From hidden_states[0] in scratch().states to that of a layer, in the same place. `each`, where given, sees every
  /// state.
  void forward(const Pass& pass, const std::function<void(size_t layer, const float* state)>& each = {}) const;
  /// After a forward that left a trace: from the cotangent in scratch().cotangent to the rows that were moved, [copies,
  /// d], in scratch().moved.
  void backward(const Pass& pass) const;

  /// Copies of the projections of so many rows that a forward left in the first `layers` layers.
  KnownRows copy_projections(long rows, size_t layers) const;
  /// Room for keys and values of that many positions.
  KnownRows make_cache(long positions) const;
  size_t cache_bytes(long positions) const;  // of one layer

  /// Rows of texts that fit the device's memory at once, up to `most`, in a forward that keeps its traces or not.
  long rows_that_fit(long most, size_t layer, bool keep) const;

 private:
  void check_weights_fit(const Transformer& transformer) const;
  using SharedAngles = std::map<const Rotary*, std::shared_ptr<const DeviceAngles>>;  // layers share them
  std::unique_ptr<const DeviceBlock> load(const BlockParts& parts, SharedAngles& angles, Buffer& scratch) const;
  bool holds(long rows, size_t traces) const;
  size_t held_bytes() const;
  void reserve(const Texts& texts, size_t traces) const;
  size_t product_bytes(long rows, long columns) const;
  Operand operand(int columns) const { return {scratch_.operand.as<void>(), columns, precision_}; }
  Operand no_operand() const { return {nullptr, 0, precision_}; }
  Operand operand_beside_floats(int columns) const;
  const void* operand_of(const Buffer& floats) const;
  Heads heads_of(const DeviceBlock& block, const DeviceTrace& trace, const int* positions) const;
  AttentionCall attention_of(size_t layer, const Pass& pass, const DeviceTrace& trace) const;
  const float* distance_bias(const RelativeBias& bias, int longest) const;
  void project(const DeviceBlock& block, const Pass& pass, DeviceTrace& trace, bool is_first) const;
  void project_moved(const DeviceBlock& block, const Moved& moved, DeviceTrace& trace) const;
  void append(size_t layer, const Pass& pass, const DeviceTrace& trace) const;
  void forward_block(size_t layer, const Pass& pass, DeviceTrace& trace) const;
  void backward_block(size_t layer, const Pass& pass, const DeviceTrace& trace) const;
  void backward_moved(const Pass& pass, const DeviceTrace& trace, const void* context_cotangent,
                      const float* after) const;

  Precision precision_;
  Queue queue_;
  std::shared_ptr<ProductKernels> kernels_ = std::make_shared<ProductKernels>();
  int d_ = 0;
  std::vector<std::unique_ptr<const DeviceBlock>> blocks_;
  mutable std::recursive_mutex mutex_;
  mutable Scratch scratch_;
  mutable std::vector<DeviceTrace> traces_;
  mutable Texts texts_;
  mutable Buffer bias_;
  mutable int bias_longest_ = -1;
};

}  // namespace wordsway::cuda
