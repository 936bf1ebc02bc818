#include "wordsway/cuda/cuda_engine.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/cuda/attention_kernels.cuh"
#include "wordsway/cuda/device_memory.cuh"
#include "wordsway/cuda/row_kernels.cuh"
#include "wordsway/model/layers/feed_forward.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/self_attention.h"

namespace wordsway {
namespace cuda {
namespace {

// Rows of texts at once: products are then large enough to fill the device, and their traces fit.
constexpr long kBatchRows = 32768;

int parts_of(Precision precision) {
  return precision == Precision::kF32 ? 3 : 1;
}

size_t operand_bytes(Precision precision, long rows, int columns) {
  const size_t each = precision == Precision::kBf16 ? 2 : 4;
  return each * static_cast<size_t>(parts_of(precision)) * static_cast<size_t>(rows) * static_cast<size_t>(columns);
}

size_t float_bytes(long rows, long columns) {
  return sizeof(float) * static_cast<size_t>(rows) * static_cast<size_t>(columns);
}

Buffer upload_floats(const Queue& queue, const float* from, Index count) {
  Buffer to(float_bytes(1, count));
  queue.upload(std::span(from, static_cast<size_t>(count)), to.as<float>());
  return to;
}

Buffer upload_row(const Queue& queue, const RowF& row) {
  return row.size() > 0 ? upload_floats(queue, row.data(), row.size()) : Buffer();
}

/// y = x·Wᵀ and x̄ = ȳ·W. Weights lie as both products read them.
class DeviceLinear {
 public:
  DeviceLinear(const Queue& queue, const Linear& from, Precision precision, Buffer& scratch)
      : inputs_(static_cast<int>(from.weight.inputs())),
        outputs_(static_cast<int>(from.weight.outputs())),
        precision_(precision),
        forward_(operand_bytes(precision, outputs_, inputs_)),
        backward_(operand_bytes(precision, inputs_, outputs_)),
        bias_(upload_row(queue, from.bias)) {
    scratch.reserve(float_bytes(outputs_, inputs_));
    constexpr Index kRows = 4096;
    for (Index row = 0; row < outputs_; row += kRows) {
      const MatrixF rows = from.weight.rows(row, std::min<Index>(kRows, outputs_ - row));
      queue.upload(std::span(rows.data(), static_cast<size_t>(rows.size())), scratch.as<float>() + row * inputs_);
      queue.wait();
    }
    make_weights(queue.stream(), outputs_, inputs_, scratch.as<float>(), false,
                 {forward_.as<void>(), inputs_, precision});
    make_weights(queue.stream(), inputs_, outputs_, scratch.as<float>(), true,
                 {backward_.as<void>(), outputs_, precision});
  }

  int inputs() const { return inputs_; }
  int outputs() const { return outputs_; }
  const float* bias() const { return bias_.as<float>(); }

  void forward(const Queue& queue, long rows, const void* x, float* y) const {
    product(queue, rows, x, forward_, inputs_, outputs_, y);
  }
  void backward(const Queue& queue, long rows, const void* y_cotangent, float* x_cotangent) const {
    product(queue, rows, y_cotangent, backward_, outputs_, inputs_, x_cotangent);
  }

 private:
  // c: [rows, n] = a·wᵀ for operands a: [rows, k] and w: [n, k]. cuBLAS counts columns first.
  void product(const Queue& queue, long rows, const void* a, const Buffer& w, int k, int n, float* c) const {
    const float one = 1, zero = 0;
    const int depth = parts_of(precision_) * k;
    const bool halves = precision_ == Precision::kBf16;
    const cudaDataType_t type = halves ? CUDA_R_16BF : CUDA_R_32F;
    const cublasComputeType_t compute = halves ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_32F_FAST_TF32;
    check(cublasGemmEx(queue.blas(), CUBLAS_OP_T, CUBLAS_OP_N, n, static_cast<int>(rows), depth, &one, w.as<void>(),
                       type, depth, a, type, depth, &zero, c, CUDA_R_32F, n, compute, CUBLAS_GEMM_DEFAULT),
          "a matrix product");
  }

  int inputs_, outputs_;
  Precision precision_;
  Buffer forward_, backward_, bias_;
};

struct DeviceNorm {
  Buffer gain, bias;
  float epsilon = 0;
  bool centred = true;

  DeviceNorm(const Queue& queue, const LayerNorm& from)
      : gain(upload_row(queue, from.gain)),
        bias(upload_row(queue, from.bias)),
        epsilon(from.epsilon),
        centred(from.centred) {}
};

DeviceActivation activation_of(HiddenActivation kind) {
  switch (kind) {
    case HiddenActivation::kGelu:
      return DeviceActivation::kGelu;
    case HiddenActivation::kGeluTanh:
      return DeviceActivation::kGeluTanh;
    case HiddenActivation::kRelu:
      return DeviceActivation::kRelu;
    case HiddenActivation::kSilu:
      return DeviceActivation::kSilu;
    case HiddenActivation::kTanh:
      return DeviceActivation::kTanh;
    case HiddenActivation::kIdentity:
      break;
  }
  return DeviceActivation::kIdentity;
}

// Cosines and sines, which layers share.
struct DeviceAngles {
  Buffer cosines, sines;
};

// A layer's weights.
struct DeviceBlock {
  bool normalises_first;
  std::optional<DeviceNorm> attention_norm, feed_forward_norm, output_norm;
  DeviceLinear qkv, output, up, down;
  DeviceActivation activation;
  bool gated;
  Attention heads;
  std::optional<DeviceNorm> query_norm, key_norm;
  std::shared_ptr<const DeviceAngles> angles;

  bool finishes_heads() const { return query_norm.has_value() || angles != nullptr; }
};

// What a layer's forward leaves for its vjp, and what the text itself leaves for its copies.
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

// Texts below each other.
struct Texts {
  long rows = 0;
  int count = 0, longest = 0;
  Buffer begins, positions;

  Texts(const Queue& queue, std::span<const Index> lengths) : count(static_cast<int>(lengths.size())) {
    std::vector<int> from = {0}, places;
    for (const Index length : lengths) {
      for (int j = 0; j < length; ++j) places.push_back(j);
      from.push_back(static_cast<int>(places.size()));
      longest = std::max(longest, static_cast<int>(length));
    }
    rows = static_cast<long>(places.size());
    begins.reserve(sizeof(int) * from.size());
    positions.reserve(sizeof(int) * places.size());
    queue.upload(std::span<const int>(from), begins.as<int>());
    queue.upload(std::span<const int>(places), positions.as<int>());
    queue.wait();
  }
};

// Copies of one text whose rows `tokens` are changed, by row: what the first layer shares with the text.
struct Moved {
  long copies;
  int n;
  const int* tokens;      // [copies]
  const float* rows;      // [copies, d]
  const float* base_qkv;  // [n, (H + 2G)w] of the text in the first layer
};

// Scratch of a forward and a vjp of so many rows.
struct Scratch {
  Buffer states, next, middle, residual, cotangent;  // [rows, d]
  Buffer product, operand, projected, dots;          // of the widest matrix; [rows, (H + 2G)w]; [rows, H]
  Buffer tokens, moved, moved_qkv;                   // of the copies' own rows
  Buffer squares, partial, weights, readouts;

  template <typename Visit>
  void for_each(const Visit& visit) const {
    for (const Buffer* buffer : {&states, &next, &middle, &residual, &cotangent, &product, &operand, &projected, &dots})
      visit(*buffer);
  }
};

class Engine {
 public:
  Engine(const Transformer& transformer, Precision precision) : precision_(precision) {
    const ModelConfig& config = transformer.config();
    d_ = static_cast<int>(config.hidden_size);
    check_weights_fit(transformer);
    std::map<const Rotary*, std::shared_ptr<const DeviceAngles>> angles;
    Buffer scratch;
    for (Index l = 0; l < config.layers; ++l) blocks_.push_back(load(transformer.block_parts(l), angles, scratch));
    queue_.wait();
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "asking for its name");
    name_ = properties.name;
  }

  const std::string& name() const { return name_; }
  Precision precision() const { return precision_; }
  const Queue& queue() const { return queue_; }
  int d() const { return d_; }
  size_t layers() const { return blocks_.size(); }
  std::mutex& mutex() const { return mutex_; }
  Scratch& scratch() const { return scratch_; }

  /// Texts of these lengths; kept while the same are asked for.
  const Texts& texts(std::span<const Index> lengths) const {
    if (!texts_ || !std::ranges::equal(lengths, lengths_)) {
      texts_.emplace(queue_, lengths);
      lengths_.assign(lengths.begin(), lengths.end());
    }
    return *texts_;
  }

  /// From hidden_states[0] in scratch().states to that of `layer`, in the same place. With `keep`, leaves a trace of
  /// every layer. `each`, where given, sees every state.
  void forward(const Texts& texts, size_t layer, bool keep, const Moved* moved,
               const std::function<void(size_t layer, const float* state)>& each = {}) const {
    reserve(texts.rows, keep ? layer : 1);
    for (size_t l = 0; l < layer; ++l) {
      throw_if_stopped();
      DeviceTrace& trace = traces_[keep ? l : 0];
      forward_block(blocks_[l], texts, trace, l == 0, l == 0 ? moved : nullptr);
      std::swap(scratch_.states, scratch_.next);
      if (each) each(l + 1, scratch_.states.as<float>());
    }
    check(cudaGetLastError(), "a forward");
  }

  /// From the cotangent in scratch().cotangent to the rows that were moved, [copies, d], in scratch().moved.
  void backward(const Texts& texts, size_t layer, const Moved& moved) const {
    for (size_t l = layer; l-- > 0;) {
      throw_if_stopped();
      backward_block(blocks_[l], texts, traces_[l], l == 0 ? &moved : nullptr);
    }
    if (layer == 0)
      take_rows(queue_.stream(), moved.copies, moved.n, d_, scratch_.cotangent.as<float>(), moved.tokens,
                scratch_.moved.as<float>());
    check(cudaGetLastError(), "a vector-Jacobian product");
  }

  /// The projections of a text in the first layer, [n, (H + 2G)w]: what forward() left.
  Buffer first_projections(const Texts& texts) const {
    const int columns = blocks_.front().qkv.outputs();
    Buffer kept(float_bytes(texts.rows, columns));
    check(cudaMemcpyAsync(kept.as<void>(), traces_.front().qkv.as<void>(), float_bytes(texts.rows, columns),
                          cudaMemcpyDeviceToDevice, queue_.stream()),
          "copying");
    queue_.wait();
    return kept;
  }

  /// Rows of texts that fit the device's memory at once, where so many layers leave a trace.
  long rows_that_fit(size_t layers) const {
    constexpr double kShare = 0.8;  // of the memory, which others may use too
    const DeviceBlock& block = blocks_.front();
    const int projected = block.qkv.outputs(), inside = block.up.outputs(), context = block.output.inputs();
    const size_t trace = float_bytes(1, projected + context + inside + 3 * d_ + (block.query_norm ? projected : 0));
    const int widest = std::max({inside, projected, d_, block.down.inputs(), context});
    const size_t others = float_bytes(1, 6 * d_ + widest + projected) + operand_bytes(precision_, 1, widest);
    const double held = static_cast<double>(free_bytes() + held_bytes());
    return static_cast<long>(kShare * held / static_cast<double>(std::max<size_t>(layers, 1) * trace + others));
  }

 private:
  // Every matrix lies there twice, for products there and back.
  void check_weights_fit(const Transformer& transformer) const {
    double numbers = 0;
    for (Index l = 0; l < transformer.config().layers; ++l) {
      const BlockParts parts = transformer.block_parts(l);
      for (const Linear* linear :
           {&parts.attention->qkv, &parts.attention->output, &parts.feed_forward->up, &parts.feed_forward->down})
        numbers += static_cast<double>(linear->weight.size());
    }
    const double bytes = 2 * numbers * static_cast<double>(operand_bytes(precision_, 1, 1));
    const auto free = static_cast<double>(free_bytes());
    if (bytes > free)
      throw UsageError(fmt::format(
          "the weights of {} take {:.1f} GiB on the CUDA device with --precision {}, and it has {:.1f} GiB free; bf16 "
          "takes {:.1f} GiB",
          transformer.name(), bytes / 0x1p30, to_string(precision_), free / 0x1p30, 4 * numbers / 0x1p30));
  }

  DeviceBlock load(const BlockParts& parts, std::map<const Rotary*, std::shared_ptr<const DeviceAngles>>& angles,
                   Buffer& scratch) const {
    const SelfAttention& attention = *parts.attention;
    const AttentionShape& shape = attention.heads.shape;
    if (!attention.heads.normaliser.is_softmax())
      throw UsageError(fmt::format("attention with the normaliser '{}' is not on the CUDA device: leave --device cpu",
                                   score_function_name(attention.heads.normaliser.function)));
    if (shape.width > kWidestHead || shape.width % 4 != 0 || d_ % 4 != 0 || d_ > 8192)
      throw UsageError(
          fmt::format("the CUDA device takes heads of up to {} and states of up to 8192 columns, multiples of 4, but "
                      "the model has {} "
                      "and {}: leave --device cpu",
                      kWidestHead, shape.width, d_));
    const auto norm = [&](const LayerNorm* from) {
      return from != nullptr ? std::optional<DeviceNorm>(std::in_place, queue_, *from) : std::nullopt;
    };
    const auto linear = [&](const Linear& from) { return DeviceLinear(queue_, from, precision_, scratch); };
    std::shared_ptr<const DeviceAngles>* turned = nullptr;
    if (attention.rotary) {
      turned = &angles[attention.rotary.get()];
      if (!*turned) {
        const MatrixF &cosines = attention.rotary->cosines(), &sines = attention.rotary->sines();
        *turned = std::make_shared<DeviceAngles>(DeviceAngles{upload_floats(queue_, cosines.data(), cosines.size()),
                                                              upload_floats(queue_, sines.data(), sines.size())});
      }
    }
    const FeedForward& feed_forward = *parts.feed_forward;
    const LayerNorm* queries = attention.head_norms ? &attention.head_norms->queries : nullptr;
    const LayerNorm* keys = attention.head_norms ? &attention.head_norms->keys : nullptr;
    return {parts.normalises_first,
            norm(parts.attention_norm),
            norm(parts.feed_forward_norm),
            norm(parts.output_norm),
            linear(attention.qkv),
            linear(attention.output),
            linear(feed_forward.up),
            linear(feed_forward.down),
            activation_of(feed_forward.activation),
            feed_forward.gated,
            attention.heads,
            norm(queries),
            norm(keys),
            turned != nullptr ? *turned : nullptr};
  }

  // In buffers that grow with the rows.
  size_t held_bytes() const {
    size_t bytes = 0;
    scratch_.for_each([&](const Buffer& buffer) { bytes += buffer.bytes(); });
    for (const DeviceTrace& trace : traces_) trace.for_each([&](const Buffer& buffer) { bytes += buffer.bytes(); });
    return bytes;
  }

  void reserve(long rows, size_t layers) const {
    const DeviceBlock& block = blocks_.front();
    const int inside = block.up.outputs(), projected = block.qkv.outputs();
    const int widest = std::max({inside, projected, d_, block.down.inputs(), block.output.inputs()});
    for (Buffer* state : {&scratch_.states, &scratch_.next, &scratch_.middle, &scratch_.residual, &scratch_.cotangent})
      if (state != &scratch_.states || state->bytes() == 0) state->reserve(float_bytes(rows, d_));
    scratch_.product.reserve(float_bytes(rows, widest));
    scratch_.operand.reserve(operand_bytes(precision_, rows, widest));
    scratch_.dots.reserve(float_bytes(rows, block.heads.shape.heads));
    if (traces_.size() < layers) traces_.resize(layers);
    for (size_t l = 0; l < layers; ++l) {
      DeviceTrace& trace = traces_[l];
      trace.qkv.reserve(float_bytes(rows, projected));
      trace.context.reserve(float_bytes(rows, block.output.inputs()));
      trace.log_sums.reserve(float_bytes(rows, block.heads.shape.heads));
      trace.inside.reserve(float_bytes(rows, inside));
      for (Buffer* normalised : {&trace.attention_normalised, &trace.output_normalised, &trace.first_normalised})
        if (normalised != &trace.first_normalised || block.normalises_first) normalised->reserve(float_bytes(rows, d_));
      for (Buffer* inverse : {&trace.attention_inverse, &trace.output_inverse, &trace.first_inverse})
        inverse->reserve(float_bytes(rows, 1));
      if (!block.query_norm) continue;
      trace.head_normalised.reserve(float_bytes(rows, projected));
      trace.head_inverse.reserve(float_bytes(rows, block.heads.shape.heads + block.heads.shape.kv_heads));
    }
  }

  Operand operand(int columns) const { return {scratch_.operand.as<void>(), columns, precision_}; }

  static void use(const std::optional<DeviceNorm>& norm, const Buffer& normalised, const Buffer& inverse,
                  NormForward& call) {
    if (!norm) return;
    call.gain = norm->gain.as<float>();
    call.bias = norm->bias.as<float>();
    call.epsilon = norm->epsilon;
    call.centred = norm->centred;
    call.normalised = normalised.as<float>();
    call.inverse = inverse.as<float>();
  }
  static void use(const std::optional<DeviceNorm>& norm, const Buffer& normalised, const Buffer& inverse,
                  NormBackward& call) {
    if (!norm) return;
    call.gain = norm->gain.as<float>();
    call.centred = norm->centred;
    call.normalised = normalised.as<float>();
    call.inverse = inverse.as<float>();
  }

  Heads heads_of(const DeviceBlock& block, const DeviceTrace& trace, const int* positions) const {
    const AttentionShape& shape = block.heads.shape;
    Heads heads{static_cast<int>(shape.heads), static_cast<int>(shape.kv_heads), static_cast<int>(shape.width)};
    heads.bias = block.qkv.bias();
    if (block.query_norm) {
      heads.query_gain = block.query_norm->gain.as<float>();
      heads.key_gain = block.key_norm->gain.as<float>();
      heads.epsilon = block.query_norm->epsilon;
      heads.normalised = trace.head_normalised.as<float>();
      heads.inverse = trace.head_inverse.as<float>();
    }
    if (block.angles) {
      heads.cosines = block.angles->cosines.as<float>();
      heads.sines = block.angles->sines.as<float>();
      heads.positions = positions;
    }
    return heads;
  }

  AttentionCall attention_of(const DeviceBlock& block, const DeviceTrace& trace, const Texts& texts) const {
    const Attention& heads = block.heads;
    AttentionCall call;
    call.heads = static_cast<int>(heads.shape.heads);
    call.kv_heads = static_cast<int>(heads.shape.kv_heads);
    call.width = static_cast<int>(heads.shape.width);
    call.scale = heads.normaliser.beta / std::sqrt(static_cast<float>(call.width));
    call.causal = heads.causal;
    call.window = heads.window ? static_cast<int>(*heads.window) : -1;
    if (heads.bias) {
      call.distance_bias = distance_bias(*heads.bias, texts.longest);
      call.most = texts.longest;
    }
    call.qkv = trace.qkv.as<float>();
    call.bias = block.finishes_heads() ? nullptr : block.qkv.bias();
    call.texts = {texts.count, texts.longest, texts.begins.as<int>()};
    call.precision = precision_;
    return call;
  }

  // All layers of a model share one bias.
  const float* distance_bias(const RelativeBias& bias, int longest) const {
    if (bias_longest_ != longest) {
      MatrixF table(bias.heads(), 2 * longest - 1);
      for (Index h = 0; h < bias.heads(); ++h) table.row(h) = bias.by_distance(h, longest);
      bias_ = upload_floats(queue_, table.data(), table.size());
      queue_.wait();
      bias_longest_ = longest;
    }
    return bias_.as<float>();
  }

  // Queries, keys and values of all rows. `is_first`: the operand of the states is not there yet.
  void project(const DeviceBlock& block, const Texts& texts, DeviceTrace& trace, bool is_first,
               const Moved* moved) const {
    const cudaStream_t stream = queue_.stream();
    if (moved != nullptr) return project_moved(block, *moved, trace);
    if (block.normalises_first) {
      NormForward norm;
      norm.residual = scratch_.states.as<float>();
      use(block.attention_norm, trace.first_normalised, trace.first_inverse, norm);
      norm.operand = operand(d_);
      norm_forward(stream, texts.rows, d_, norm);
    } else if (is_first) {
      make_operand(stream, texts.rows, d_, scratch_.states.as<float>(), d_, operand(d_));
    }
    block.qkv.forward(queue_, texts.rows, scratch_.operand.as<void>(), trace.qkv.as<float>());
    if (block.finishes_heads())
      heads_forward(stream, texts.rows, heads_of(block, trace, texts.positions.as<int>()), trace.qkv.as<float>());
  }

  // Other rows than those that moved are the text's. What the vjp needs of norms is of the moved rows alone.
  void project_moved(const DeviceBlock& block, const Moved& moved, DeviceTrace& trace) const {
    const cudaStream_t stream = queue_.stream();
    scratch_.moved_qkv.reserve(float_bytes(moved.copies, block.qkv.outputs()));
    float* projected = scratch_.moved_qkv.as<float>();
    NormForward norm;
    norm.residual = moved.rows;
    if (block.normalises_first) use(block.attention_norm, trace.first_normalised, trace.first_inverse, norm);
    norm.operand = operand(d_);
    norm_forward(stream, moved.copies, d_, norm);
    block.qkv.forward(queue_, moved.copies, scratch_.operand.as<void>(), projected);
    if (block.finishes_heads()) heads_forward(stream, moved.copies, heads_of(block, trace, moved.tokens), projected);
    copy_with_rows(stream, moved.copies, moved.n, block.qkv.outputs(), moved.base_qkv, projected, moved.tokens,
                   trace.qkv.as<float>());
  }

  // y from the states to scratch().next; the operand of y is left behind for the next layer of a post-norm model.
  void forward_block(const DeviceBlock& block, const Texts& texts, DeviceTrace& trace, bool is_first,
                     const Moved* moved) const {
    const cudaStream_t stream = queue_.stream();
    const long rows = texts.rows;
    project(block, texts, trace, is_first, moved);
    attention_forward(stream, attention_of(block, trace, texts), trace.context.as<float>(),
                      operand(block.output.inputs()), trace.log_sums.as<float>());
    block.output.forward(queue_, rows, scratch_.operand.as<void>(), scratch_.product.as<float>());
    NormForward norm;
    norm.product = scratch_.product.as<float>();
    norm.product_bias = block.output.bias();
    norm.residual = scratch_.states.as<float>();
    norm.operand = operand(d_);
    (block.normalises_first ? norm.sum : norm.plain) = scratch_.middle.as<float>();
    use(block.normalises_first ? block.feed_forward_norm : block.attention_norm, trace.attention_normalised,
        trace.attention_inverse, norm);
    norm_forward(stream, rows, d_, norm);
    block.up.forward(queue_, rows, scratch_.operand.as<void>(), trace.inside.as<float>());
    activation_forward(
        stream, rows, block.down.inputs(),
        {block.activation, block.gated, trace.inside.as<float>(), block.up.bias(), operand(block.down.inputs())});
    block.down.forward(queue_, rows, scratch_.operand.as<void>(), scratch_.product.as<float>());
    NormForward last;
    last.product = scratch_.product.as<float>();
    last.product_bias = block.down.bias();
    last.residual = scratch_.middle.as<float>();
    last.plain = scratch_.next.as<float>();
    use(block.output_norm, trace.output_normalised, trace.output_inverse, last);
    if (!block.normalises_first) last.operand = operand(d_);
    norm_forward(stream, rows, d_, last);
  }

  // scratch().cotangent from that of y to that of x; of the first layer, rows that moved to scratch().moved.
  void backward_block(const DeviceBlock& block, const Texts& texts, const DeviceTrace& trace,
                      const Moved* moved) const {
    const cudaStream_t stream = queue_.stream();
    const long rows = texts.rows;
    float *cotangent = scratch_.cotangent.as<float>(), *residual = scratch_.residual.as<float>();
    float *product = scratch_.product.as<float>(), *after = scratch_.middle.as<float>();
    NormBackward last;
    last.first = cotangent;
    use(block.output_norm, trace.output_normalised, trace.output_inverse, last);
    last.plain = residual;
    last.operand = operand(d_);
    norm_backward(stream, rows, d_, last);
    block.down.backward(queue_, rows, scratch_.operand.as<void>(), product);
    activation_backward(
        stream, rows, block.down.inputs(),
        {block.activation, block.gated, trace.inside.as<float>(), block.up.bias(), operand(block.up.outputs())},
        product);
    block.up.backward(queue_, rows, scratch_.operand.as<void>(), product);
    NormBackward norm;  // to `after`, the cotangent of what the attention's residual and output were added to
    norm.first = product;
    (block.normalises_first ? norm.add : norm.second) = residual;
    use(block.normalises_first ? block.feed_forward_norm : block.attention_norm, trace.attention_normalised,
        trace.attention_inverse, norm);
    norm.plain = after;
    norm.operand = operand(d_);
    norm_backward(stream, rows, d_, norm);
    block.output.backward(queue_, rows, scratch_.operand.as<void>(), product);
    const AttentionCall call = attention_of(block, trace, texts);
    const bool plain = block.finishes_heads() || moved != nullptr;
    float* projected = nullptr;
    if (plain) {  // it goes on by rows before it is an operand
      scratch_.projected.reserve(float_bytes(rows, block.qkv.outputs()));
      projected = scratch_.projected.as<float>();
    }
    attention_backward(stream, call, rows, trace.context.as<float>(), trace.log_sums.as<float>(), product,
                       scratch_.dots.as<float>(), projected, operand(block.qkv.outputs()));
    if (moved != nullptr) return backward_moved(block, *moved, trace, projected, after);
    if (block.finishes_heads())
      heads_backward(stream, rows, heads_of(block, trace, texts.positions.as<int>()), projected,
                     operand(block.qkv.outputs()));
    block.qkv.backward(queue_, rows, scratch_.operand.as<void>(), product);
    NormBackward first;
    first.first = product;
    first.add = after;
    if (block.normalises_first) use(block.attention_norm, trace.first_normalised, trace.first_inverse, first);
    first.plain = cotangent;
    norm_backward(stream, rows, d_, first);
  }

  void backward_moved(const DeviceBlock& block, const Moved& moved, const DeviceTrace& trace, const float* projected,
                      const float* after) const {
    const cudaStream_t stream = queue_.stream();
    const int columns = block.qkv.outputs();
    float *rows = scratch_.moved_qkv.as<float>(), *product = scratch_.product.as<float>(),
          *found = scratch_.moved.as<float>();
    take_rows(stream, moved.copies, moved.n, columns, projected, moved.tokens, rows);
    if (block.finishes_heads()) {
      heads_backward(stream, moved.copies, heads_of(block, trace, moved.tokens), rows, operand(columns));
    } else {
      make_operand(stream, moved.copies, columns, rows, columns, operand(columns));
    }
    block.qkv.backward(queue_, moved.copies, scratch_.operand.as<void>(), product);
    take_rows(stream, moved.copies, moved.n, d_, after, moved.tokens, found);
    NormBackward first;
    first.first = product;
    first.add = found;
    if (block.normalises_first) use(block.attention_norm, trace.first_normalised, trace.first_inverse, first);
    first.plain = found;
    norm_backward(stream, moved.copies, d_, first);
  }

  Precision precision_;
  Queue queue_;
  int d_ = 0;
  std::string name_;
  std::vector<DeviceBlock> blocks_;
  mutable std::mutex mutex_;
  mutable Scratch scratch_;
  mutable std::vector<DeviceTrace> traces_;
  mutable std::optional<Texts> texts_;
  mutable std::vector<Index> lengths_;
  mutable Buffer bias_;
  mutable int bias_longest_ = -1;
};

std::vector<Index> lengths_of(const AttentionMask& mask, Index rows) {
  std::vector<Index> lengths;
  for (const RowRange& text : mask.texts(rows)) lengths.push_back(text.size());
  return lengths;
}

void download(const Engine& engine, const float* from, MatrixF& to) {
  engine.queue().download(from, std::span(to.data(), static_cast<size_t>(to.size())));
}

class Text final : public DeviceText {
 public:
  Text(std::shared_ptr<const Engine> engine, ConstMatrixFRef x, Index layer)
      : engine_(std::move(engine)), layer_(static_cast<size_t>(layer)), n_(x.rows()), hidden_(x.rows(), x.cols()) {
    const std::lock_guard lock(engine_->mutex());
    const MatrixF rows = x;
    x_ = upload_floats(engine_->queue(), rows.data(), rows.size());
    Scratch& scratch = engine_->scratch();
    scratch.states.reserve(x_.bytes());
    check(cudaMemcpyAsync(scratch.states.as<void>(), x_.as<void>(), x_.bytes(), cudaMemcpyDeviceToDevice,
                          engine_->queue().stream()),
          "copying");
    const Texts& texts = engine_->texts(std::array{n_});
    // One trace for each layer, so that the first layer's is not written over.
    engine_->forward(texts, layer_, true, nullptr);
    if (layer_ > 0) base_qkv_ = engine_->first_projections(texts);
    base_ = Buffer(x_.bytes());
    check(cudaMemcpyAsync(base_.as<void>(), scratch.states.as<void>(), x_.bytes(), cudaMemcpyDeviceToDevice,
                          engine_->queue().stream()),
          "copying");
    download(*engine_, base_.as<float>(), hidden_);
  }

  const MatrixF& hidden() const override { return hidden_; }

  Vector distances(const MovedRows& moved, MatrixF* gradients) const override {
    Vector found(moved.rows.rows());
    for_each_batch(moved, gradients, [&](const Moved& batch, Index first) {
      Scratch& scratch = engine_->scratch();
      scratch.partial.reserve(sizeof(double) * static_cast<size_t>(batch.copies * kDistanceParts));
      scratch.squares.reserve(sizeof(double) * static_cast<size_t>(batch.copies));
      cuda::distances(engine_->queue().stream(), batch.copies, batch.n, engine_->d(), scratch.states.as<float>(),
                      base_.as<float>(), scratch.partial.as<double>(), scratch.squares.as<double>(),
                      gradients != nullptr ? scratch.cotangent.as<float>() : nullptr);
      engine_->queue().download(scratch.squares.as<double>(),
                                std::span(found.data() + first, static_cast<size_t>(batch.copies)));
    });
    return found;
  }

  void read_out(const MovedRows& moved, const RowF& weights, const Respond& respond,
                MatrixF* gradients) const override {
    for_each_batch(moved, gradients, [&](const Moved& batch, Index first) {
      Scratch& scratch = engine_->scratch();
      const Queue& queue = engine_->queue();
      scratch.weights = upload_row(queue, weights);
      scratch.readouts.reserve(float_bytes(batch.copies, engine_->d()));
      readout(queue.stream(), batch.copies, batch.n, engine_->d(), scratch.states.as<float>(),
              scratch.weights.as<float>(), scratch.readouts.as<float>());
      MatrixF found(batch.copies, engine_->d());
      download(*engine_, scratch.readouts.as<float>(), found);
      const MatrixF cotangent = respond(found, first);
      if (gradients == nullptr) return;
      queue.upload(std::span(cotangent.data(), static_cast<size_t>(cotangent.size())), scratch.readouts.as<float>());
      readout_backward(queue.stream(), batch.copies, batch.n, engine_->d(), scratch.readouts.as<float>(),
                       scratch.weights.as<float>(), scratch.cotangent.as<float>());
      queue.wait();
    });
  }

  void read_states(const MovedRows& moved, const Respond& respond, MatrixF* gradients) const override {
    for_each_batch(moved, gradients, [&](const Moved& batch, Index first) {
      Scratch& scratch = engine_->scratch();
      const Queue& queue = engine_->queue();
      MatrixF found(batch.copies * n_, engine_->d());
      download(*engine_, scratch.states.as<float>(), found);
      const MatrixF cotangent = respond(found, first);
      if (gradients == nullptr) return;
      queue.upload(std::span(cotangent.data(), static_cast<size_t>(cotangent.size())), scratch.cotangent.as<float>());
      queue.wait();
    });
  }

 private:
  // Copies at once: as many as are best, where they fit.
  Index batch_size(bool keep) const {
    const Index rows = std::min(kBatchRows, engine_->rows_that_fit(keep ? layer_ : 1));
    return std::max<Index>(1, rows / n_);
  }

  // Calls read(batch, first copy) after the forward of some copies; it leaves the cotangent where gradients are wanted.
  template <typename Read>
  void for_each_batch(const MovedRows& moved, MatrixF* gradients, const Read& read) const {
    const std::lock_guard lock(engine_->mutex());
    const Queue& queue = engine_->queue();
    Scratch& scratch = engine_->scratch();
    const Index count = moved.rows.rows(), d = engine_->d(), most = batch_size(gradients != nullptr);
    if (gradients != nullptr) gradients->resize(count, d);
    for (Index first = 0; first < count; first += most) {
      const Index copies = std::min(most, count - first);
      const MatrixF rows = moved.rows.middleRows(first, copies);
      std::vector<int> tokens;
      for (Index k = 0; k < copies; ++k)
        tokens.push_back(static_cast<int>(moved.tokens[static_cast<size_t>(first + k)]));
      scratch.moved.reserve(float_bytes(copies, d));
      scratch.tokens.reserve(sizeof(int) * tokens.size());
      queue.upload(std::span(rows.data(), static_cast<size_t>(rows.size())), scratch.moved.as<float>());
      queue.upload(std::span<const int>(tokens), scratch.tokens.as<int>());
      const Texts& texts = engine_->texts(std::vector<Index>(static_cast<size_t>(copies), n_));
      scratch.states.reserve(float_bytes(texts.rows, d));
      scratch.cotangent.reserve(float_bytes(texts.rows, d));
      copy_with_rows(queue.stream(), copies, static_cast<int>(n_), static_cast<int>(d), x_.as<float>(),
                     scratch.moved.as<float>(), scratch.tokens.as<int>(), scratch.states.as<float>());
      const Moved batch{copies, static_cast<int>(n_), scratch.tokens.as<int>(), scratch.moved.as<float>(),
                        base_qkv_.as<float>()};
      engine_->forward(texts, layer_, gradients != nullptr, &batch);
      read(batch, first);
      if (gradients == nullptr) continue;
      engine_->backward(texts, layer_, batch);
      queue.download(scratch.moved.as<float>(),
                     std::span(gradients->row(first).data(), static_cast<size_t>(copies * d)));
    }
  }

  std::shared_ptr<const Engine> engine_;
  size_t layer_;
  Index n_;
  Buffer x_, base_, base_qkv_;
  MatrixF hidden_;
};

class CudaEngine final : public DeviceEngine {
 public:
  explicit CudaEngine(std::shared_ptr<const Engine> engine) : engine_(std::move(engine)) {}

  Device device() const override { return {DeviceKind::kCuda, engine_->precision()}; }
  std::string name() const override { return engine_->name(); }
  Index batch_rows() const override { return kBatchRows; }

  MatrixF forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const override {
    MatrixF result = x;
    run(x, layer, mask, [&](size_t at, const float* state) {
      if (at == static_cast<size_t>(layer)) download(*engine_, state, result);
    });
    return result;
  }

  std::vector<MatrixF> hidden_states(ConstMatrixFRef x, const AttentionMask& mask) const override {
    std::vector<MatrixF> states = {x};
    run(x, static_cast<Index>(engine_->layers()), mask, [&](size_t, const float* state) {
      states.emplace_back(x.rows(), x.cols());
      download(*engine_, state, states.back());
    });
    return states;
  }

  std::unique_ptr<DeviceText> text(ConstMatrixFRef x, Index layer) const override {
    return std::make_unique<Text>(engine_, x, layer);
  }

 private:
  void run(ConstMatrixFRef x, Index layer, const AttentionMask& mask,
           const std::function<void(size_t, const float*)>& each) const {
    const std::lock_guard lock(engine_->mutex());
    const MatrixF rows = x;
    Scratch& scratch = engine_->scratch();
    const Texts& texts = engine_->texts(lengths_of(mask, x.rows()));
    scratch.states.reserve(float_bytes(texts.rows, engine_->d()));
    engine_->queue().upload(std::span(rows.data(), static_cast<size_t>(rows.size())), scratch.states.as<float>());
    engine_->forward(texts, static_cast<size_t>(layer), false, nullptr, each);
  }

  std::shared_ptr<const Engine> engine_;
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
  return std::make_shared<cuda::CudaEngine>(std::make_shared<const cuda::Engine>(transformer, precision));
}

}  // namespace wordsway
