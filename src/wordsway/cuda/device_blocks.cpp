#include "wordsway/cuda/device_blocks.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <cuda_bf16.h>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/model/layers/feed_forward.h"
#include "wordsway/model/layers/layer_norm.h"
#include "wordsway/model/layers/self_attention.h"

namespace wordsway::cuda {
namespace {

// Without a trace of every layer there are two: the first layer's, and one that the others share.
size_t traces_of(size_t layer, bool keep) {
  return keep ? layer : std::min<size_t>(layer, 2);
}

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

}  // namespace

void Texts::set(const Queue& queue, std::span<const Index> lengths, std::span<const Index> first_positions) {
  const std::vector<Index> zeros(first_positions.empty() ? lengths.size() : 0);
  if (first_positions.empty()) first_positions = zeros;
  const auto begins_with = [](const std::vector<Index>& all, std::span<const Index> some) {
    return some.size() <= all.size() && std::ranges::equal(some, std::span(all).first(some.size()));
  };
  if (!begins_with(lengths_, lengths) || !begins_with(first_positions_, first_positions)) {
    lengths_.assign(lengths.begin(), lengths.end());
    first_positions_.assign(first_positions.begin(), first_positions.end());
    send(queue);
  }
  count = static_cast<int>(lengths.size());
  rows = std::accumulate(lengths.begin(), lengths.end(), long{0});
  longest = lengths.empty() ? 0 : static_cast<int>(std::ranges::max(lengths));
}

void Texts::send(const Queue& queue) {
  std::vector<int> from = {0}, begin_at, places;
  for (size_t k = 0; k < lengths_.size(); ++k) {
    begin_at.push_back(static_cast<int>(first_positions_[k]));
    for (int j = 0; j < lengths_[k]; ++j) places.push_back(begin_at.back() + j);
    from.push_back(static_cast<int>(places.size()));
  }
  const auto upload = [&](const std::vector<int>& numbers, Buffer& to) {
    to.reserve(sizeof(int) * numbers.size());
    queue.upload(std::span<const int>(numbers), to.as<int>());
  };
  upload(from, begins);
  upload(begin_at, firsts);
  upload(places, positions);
  queue.wait();
}

struct DeviceAngles {
  Buffer cosines, sines;
};

/// A layer's weights.
struct DeviceBlock {
  bool normalises_first;
  std::optional<DeviceNorm> attention_norm, feed_forward_norm, output_norm;
  DeviceLinear qkv, output, up, down;
  ActivationKind activation;
  bool gated;
  Attention heads;
  std::optional<DeviceNorm> query_norm, key_norm;
  std::shared_ptr<const DeviceAngles> angles;

  bool finishes_heads() const { return query_norm.has_value() || angles != nullptr; }
};

DeviceBlocks::DeviceBlocks(const Transformer& transformer, Precision precision) : precision_(precision) {
  const ModelConfig& config = transformer.config();
  d_ = static_cast<int>(config.hidden_size);
  check_weights_fit(transformer);
  SharedAngles angles;
  Buffer scratch;
  for (Index l = 0; l < config.layers; ++l) blocks_.push_back(load(transformer.block_parts(l), angles, scratch));
  queue_.wait();
}

DeviceBlocks::~DeviceBlocks() = default;

// Every matrix is on the device twice, for forward and backward products.
void DeviceBlocks::check_weights_fit(const Transformer& transformer) const {
  double numbers = 0;
  for (Index l = 0; l < transformer.config().layers; ++l) {
    const BlockParts parts = transformer.block_parts(l);
    for (const Linear* linear :
         {&parts.attention->qkv, &parts.attention->output, &parts.feed_forward->up, &parts.feed_forward->down})
      numbers += static_cast<double>(linear->weight.size());
  }
  if (const PackedWeights* table = transformer.next_word_table()) numbers += static_cast<double>(table->size());
  const double bytes = 2 * numbers * static_cast<double>(operand_bytes(precision_, 1, 1));
  const auto free = static_cast<double>(free_bytes());
  if (bytes > free)
    throw UsageError(fmt::format(
        "the weights of {} take {:.1f} GiB on the CUDA device with --precision {}, and it has {:.1f} GiB free; bf16 "
        "takes {:.1f} GiB",
        transformer.name(), bytes / 0x1p30, to_string(precision_), free / 0x1p30, 4 * numbers / 0x1p30));
}

std::unique_ptr<const DeviceBlock> DeviceBlocks::load(const BlockParts& parts, SharedAngles& angles,
                                                      Buffer& scratch) const {
  const SelfAttention& attention = *parts.attention;
  const AttentionShape& shape = attention.heads.shape;
  if (!attention.heads.normaliser.is_softmax())
    throw UsageError(fmt::format("attention with the normaliser '{}' is not on the CUDA device: leave --device cpu",
                                 normaliser_name(attention.heads.normaliser.kind)));
  if (shape.width > kWidestHead || shape.width % 4 != 0 || d_ % 4 != 0 || d_ > 8192)
    throw UsageError(
        fmt::format("the CUDA device takes heads of up to {} and states of up to 8192 columns, multiples of 4, but "
                    "the model has {} "
                    "and {}: leave --device cpu",
                    kWidestHead, shape.width, d_));
  const auto norm = [&](const LayerNorm* from) {
    return from != nullptr ? std::optional<DeviceNorm>(std::in_place, queue_, *from) : std::nullopt;
  };
  const auto linear = [&](const Linear& from, DeviceLinear::Bias where = DeviceLinear::Bias::kLeft) {
    return DeviceLinear(queue_, kernels_, from.weight, from.bias, precision_, scratch, where);
  };
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
  return std::make_unique<const DeviceBlock>(
      DeviceBlock{parts.normalises_first, norm(parts.attention_norm), norm(parts.feed_forward_norm),
                  norm(parts.output_norm), linear(attention.qkv, DeviceLinear::Bias::kAdded), linear(attention.output),
                  linear(feed_forward.up), linear(feed_forward.down), feed_forward.activation, feed_forward.gated,
                  attention.heads, norm(queries), norm(keys), turned != nullptr ? *turned : nullptr});
}

// In buffers that grow with the rows.
size_t DeviceBlocks::held_bytes() const {
  size_t bytes = 0;
  scratch_.for_each([&](const Buffer& buffer) { bytes += buffer.bytes(); });
  for (const DeviceTrace& trace : traces_) trace.for_each([&](const Buffer& buffer) { bytes += buffer.bytes(); });
  return bytes;
}

// Bytes of a matrix that a product writes.
size_t DeviceBlocks::product_bytes(long rows, long columns) const {
  return float_bytes(rows, columns) / (precision_ == Precision::kBf16 ? 2 : 1);
}

bool DeviceBlocks::holds(long rows, size_t traces) const {
  const int inside = blocks_.front()->up.outputs();
  const auto is_held = [&](const DeviceTrace& trace) { return trace.inside.bytes() >= product_bytes(rows, inside); };
  return traces <= traces_.size() && std::ranges::all_of(std::span(traces_).first(traces), is_held);
}

long DeviceBlocks::rows_that_fit(long most, size_t layer, bool keep) const {
  const size_t traces = traces_of(layer, keep);
  if (holds(most, traces)) return most;
  constexpr double kShare = 0.8;  // of the memory, which others may use too
  const DeviceBlock& block = *blocks_.front();
  const int projected = block.qkv.outputs(), inside = block.up.outputs(), context = block.output.inputs();
  const size_t trace =
      product_bytes(1, projected + context + inside + 3 * d_) + float_bytes(1, 4 + (block.query_norm ? projected : 0));
  const int widest = std::max({inside, projected, d_, block.down.inputs(), context});
  const size_t others = float_bytes(1, 6 * d_ + widest + projected) + operand_bytes(precision_, 1, widest);
  const double held = static_cast<double>(free_bytes() + held_bytes());
  const double fit = kShare * held / static_cast<double>(traces * trace + others);
  return std::min(most, static_cast<long>(fit));
}

void DeviceBlocks::reserve(const Texts& texts, size_t traces) const {
  const DeviceBlock& block = *blocks_.front();
  const long rows = texts.rows;
  const int inside = block.up.outputs(), projected = block.qkv.outputs();
  const int widest = std::max({inside, projected, d_, block.down.inputs(), block.output.inputs()});
  for (Buffer* state : {&scratch_.states, &scratch_.next, &scratch_.middle, &scratch_.residual, &scratch_.cotangent})
    if (state != &scratch_.states || state->bytes() == 0) state->reserve(float_bytes(rows, d_));
  scratch_.product.reserve(product_bytes(rows, widest));
  scratch_.operand.reserve(operand_bytes(precision_, rows, widest));
  scratch_.dots.reserve(float_bytes(rows, block.heads.shape.heads));
  scratch_.largest.reserve(sizeof(unsigned) * static_cast<size_t>(texts.count));
  if (traces_.size() < traces) traces_.resize(traces);
  for (DeviceTrace& trace : std::span(traces_).first(traces)) {
    trace.qkv.reserve(product_bytes(rows, projected));
    trace.context.reserve(product_bytes(rows, block.output.inputs()));
    trace.log_sums.reserve(float_bytes(rows, block.heads.shape.heads));
    trace.inside.reserve(product_bytes(rows, inside));
    for (Buffer* normalised : {&trace.attention_normalised, &trace.output_normalised, &trace.first_normalised})
      if (normalised != &trace.first_normalised || block.normalises_first) normalised->reserve(product_bytes(rows, d_));
    for (Buffer* inverse : {&trace.attention_inverse, &trace.output_inverse, &trace.first_inverse})
      inverse->reserve(float_bytes(rows, 1));
    if (!block.query_norm) continue;
    trace.head_normalised.reserve(float_bytes(rows, projected));
    trace.head_inverse.reserve(float_bytes(rows, block.heads.shape.heads + block.heads.shape.kv_heads));
  }
}

const Texts& DeviceBlocks::texts(std::span<const Index> lengths, std::span<const Index> firsts) const {
  texts_.set(queue_, lengths, firsts);
  return texts_;
}

void DeviceBlocks::forward(const Pass& pass, const std::function<void(size_t, const float*)>& each) const {
  const size_t traces = traces_of(pass.layer, pass.keep);
  reserve(pass.texts, traces);
  for (size_t l = 0; l < pass.layer; ++l) {
    throw_if_stopped();
    forward_block(l, pass, traces_[std::min(l, traces - 1)]);
    std::swap(scratch_.states, scratch_.next);
    if (each) each(l + 1, scratch_.states.as<float>());
  }
  check(cudaGetLastError(), "a forward");
}

void DeviceBlocks::backward(const Pass& pass) const {
  for (size_t l = pass.layer; l-- > 0;) {
    throw_if_stopped();
    backward_block(l, pass, traces_[l]);
  }
  if (pass.layer == 0)
    take_rows(queue_.stream(), pass.moved->copies, d_, scratch_.cotangent.as<float>(), scratch_.moved.as<float>());
  check(cudaGetLastError(), "a vector-Jacobian product");
}

KnownRows DeviceBlocks::copy_projections(long rows, size_t layers) const {
  const AttentionShape& shape = blocks_.front()->heads.shape;
  KnownRows known;
  known.columns = static_cast<int>(shape.qkv_columns());
  known.first_column = static_cast<int>(shape.context_columns());
  const size_t bytes = product_bytes(rows, shape.qkv_columns());
  for (size_t l = 0; l < layers; ++l) {
    const Buffer& copy = known.layers.emplace_back(bytes);
    check(cudaMemcpyAsync(copy.as<void>(), traces_[l].qkv.as<void>(), bytes, cudaMemcpyDeviceToDevice, queue_.stream()),
          "copying projections");
  }
  return known;
}

KnownRows DeviceBlocks::make_cache(long positions) const {
  KnownRows known;
  known.columns = static_cast<int>(blocks_.front()->heads.shape.kv_columns());
  for (size_t l = 0; l < blocks_.size(); ++l) known.layers.emplace_back(cache_bytes(positions));
  return known;
}

size_t DeviceBlocks::cache_bytes(long positions) const {
  return product_bytes(positions, blocks_.front()->heads.shape.kv_columns());
}

// In tf32 floats are operands as they are: what is there already is not written again.
Operand DeviceBlocks::operand_beside_floats(int columns) const {
  return precision_ == Precision::kTf32 ? no_operand() : operand(columns);
}
const void* DeviceBlocks::operand_of(const Buffer& floats) const {
  return precision_ == Precision::kTf32 ? floats.as<void>() : scratch_.operand.as<void>();
}

namespace {

void use(const std::optional<DeviceNorm>& norm, const Buffer& normalised, const Buffer& inverse, NormForward& call) {
  if (!norm) return;
  call.gain = norm->gain.as<float>();
  call.bias = norm->bias.as<float>();
  call.epsilon = norm->epsilon;
  call.centred = norm->centred;
  call.normalised = normalised.as<void>();
  call.inverse = inverse.as<float>();
}

void use(const std::optional<DeviceNorm>& norm, const Buffer& normalised, const Buffer& inverse, NormBackward& call) {
  if (!norm) return;
  call.gain = norm->gain.as<float>();
  call.centred = norm->centred;
  call.normalised = normalised.as<void>();
  call.inverse = inverse.as<float>();
}

}  // namespace

Heads DeviceBlocks::heads_of(const DeviceBlock& block, const DeviceTrace& trace, const int* positions) const {
  const AttentionShape& shape = block.heads.shape;
  Heads heads{static_cast<int>(shape.heads), static_cast<int>(shape.kv_heads), static_cast<int>(shape.width)};
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

AttentionCall DeviceBlocks::attention_of(size_t layer, const Pass& pass, const DeviceTrace& trace) const {
  const DeviceBlock& block = *blocks_[layer];
  const Attention& heads = block.heads;
  AttentionCall call;
  call.heads = static_cast<int>(heads.shape.heads);
  call.kv_heads = static_cast<int>(heads.shape.kv_heads);
  call.width = static_cast<int>(heads.shape.width);
  call.scale = static_cast<float>(heads.normaliser.beta) / std::sqrt(static_cast<float>(call.width));
  call.causal = heads.causal;
  call.window = heads.window ? static_cast<int>(*heads.window) : -1;
  if (heads.bias) {
    call.distance_bias = distance_bias(*heads.bias, pass.texts.longest);
    call.most = pass.texts.longest;
  }
  call.qkv = trace.qkv.as<void>();
  call.texts = {pass.texts.count, pass.texts.longest, pass.texts.begins.as<int>(), pass.texts.firsts.as<int>()};
  if (pass.before != nullptr) {
    call.texts.before = pass.before->layers[layer].as<char>() + product_bytes(1, pass.before->first_column);
    call.texts.before_stride = pass.before->columns;
  }
  call.precision = precision_;
  return call;
}

// All layers of a model share one bias.
const float* DeviceBlocks::distance_bias(const RelativeBias& bias, int longest) const {
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
void DeviceBlocks::project(const DeviceBlock& block, const Pass& pass, DeviceTrace& trace, bool is_first) const {
  const cudaStream_t stream = queue_.stream();
  const long rows = pass.texts.rows;
  if (is_first && pass.moved != nullptr) return project_moved(block, *pass.moved, trace);
  const void* states = scratch_.operand.as<void>();
  if (block.normalises_first) {
    NormForward norm;
    norm.residual = scratch_.states.as<float>();
    use(block.attention_norm, trace.first_normalised, trace.first_inverse, norm);
    norm.operand = operand(d_);
    norm_forward(stream, rows, d_, norm);
  } else if (is_first) {
    make_operand(stream, rows, d_, scratch_.states.as<float>(), d_, operand(d_));
  } else {
    states = operand_of(scratch_.states);
  }
  block.qkv.forward(queue_, rows, states, trace.qkv.as<void>());
  if (block.finishes_heads())
    heads_forward(stream, rows, heads_of(block, trace, pass.texts.positions.as<int>()), precision_,
                  trace.qkv.as<void>());
}

// Other rows than those that moved are the text's. What the vjp needs of norms is of the moved rows alone.
void DeviceBlocks::project_moved(const DeviceBlock& block, const Moved& moved, DeviceTrace& trace) const {
  const cudaStream_t stream = queue_.stream();
  const long copies = moved.copies.count;
  const int columns = block.qkv.outputs();
  scratch_.moved_qkv.reserve(float_bytes(copies, columns));
  NormForward norm;
  norm.residual = moved.rows;
  if (block.normalises_first) use(block.attention_norm, trace.first_normalised, trace.first_inverse, norm);
  norm.operand = operand(d_);
  norm_forward(stream, copies, d_, norm);
  block.qkv.forward(queue_, copies, scratch_.operand.as<void>(), scratch_.moved_qkv.as<void>());
  if (block.finishes_heads())
    heads_forward(stream, copies, heads_of(block, trace, moved.copies.tokens), precision_,
                  scratch_.moved_qkv.as<void>());
  const auto copy = [&]<typename Number>(Number*) {
    copy_with_rows<Number>(stream, moved.copies, columns, moved.projected->as<Number>(),
                           scratch_.moved_qkv.as<Number>(), trace.qkv.as<Number>());
  };
  if (precision_ == Precision::kBf16) {
    copy(static_cast<__nv_bfloat16*>(nullptr));
  } else {
    copy(static_cast<float*>(nullptr));
  }
}

void DeviceBlocks::append(size_t layer, const Pass& pass, const DeviceTrace& trace) const {
  const AttentionShape& shape = blocks_[layer]->heads.shape;
  const size_t columns = product_bytes(1, shape.kv_columns()), all = product_bytes(1, shape.qkv_columns());
  check(cudaMemcpy2DAsync(pass.append->layers[layer].as<char>() + static_cast<size_t>(pass.appended_at) * columns,
                          columns, trace.qkv.as<char>() + product_bytes(1, shape.context_columns()), all, columns,
                          static_cast<size_t>(pass.texts.rows), cudaMemcpyDeviceToDevice, queue_.stream()),
        "keeping keys and values");
}

// y from the states to scratch().next; the operand of y is left behind for the next layer of a post-norm model.
void DeviceBlocks::forward_block(size_t layer, const Pass& pass, DeviceTrace& trace) const {
  const DeviceBlock& block = *blocks_[layer];
  const cudaStream_t stream = queue_.stream();
  const long rows = pass.texts.rows;
  const int context = block.output.inputs();
  project(block, pass, trace, layer == 0);
  if (pass.append != nullptr) append(layer, pass, trace);
  // Operands that are not taken apart are the context that the vjp needs.
  const bool apart = precision_ == Precision::kF32;
  const Operand wanted = apart ? operand(context) : Operand{trace.context.as<void>(), context, precision_};
  attention_forward(stream, attention_of(layer, pass, trace), apart ? trace.context.as<float>() : nullptr, wanted,
                    trace.log_sums.as<float>());
  block.output.forward(queue_, rows, wanted.data, scratch_.product.as<void>());
  NormForward norm;
  norm.product = scratch_.product.as<void>();
  norm.product_bias = block.output.bias();
  norm.residual = scratch_.states.as<float>();
  norm.operand = block.normalises_first ? operand(d_) : operand_beside_floats(d_);
  (block.normalises_first ? norm.sum : norm.plain) = scratch_.middle.as<float>();
  use(block.normalises_first ? block.feed_forward_norm : block.attention_norm, trace.attention_normalised,
      trace.attention_inverse, norm);
  if (!pass.keep) norm.normalised = nullptr;
  norm_forward(stream, rows, d_, norm);
  block.up.forward(queue_, rows, block.normalises_first ? scratch_.operand.as<void>() : operand_of(scratch_.middle),
                   trace.inside.as<void>());
  activation_forward(
      stream, rows, block.down.inputs(),
      {block.activation, block.gated, trace.inside.as<void>(), block.up.bias(), operand(block.down.inputs())});
  block.down.forward(queue_, rows, scratch_.operand.as<void>(), scratch_.product.as<void>());
  NormForward last;
  last.product = scratch_.product.as<void>();
  last.product_bias = block.down.bias();
  last.residual = scratch_.middle.as<float>();
  last.plain = scratch_.next.as<float>();
  use(block.output_norm, trace.output_normalised, trace.output_inverse, last);
  if (!pass.keep) last.normalised = nullptr;
  last.operand = block.normalises_first ? no_operand() : operand_beside_floats(d_);
  norm_forward(stream, rows, d_, last);
}

// scratch().cotangent from that of y to that of x; of the first layer, rows that moved to scratch().moved.
void DeviceBlocks::backward_block(size_t layer, const Pass& pass, const DeviceTrace& trace) const {
  const DeviceBlock& block = *blocks_[layer];
  const cudaStream_t stream = queue_.stream();
  const long rows = pass.texts.rows;
  void* product = scratch_.product.as<void>();
  Buffer& after = scratch_.middle;
  NormBackward last;
  last.cotangent = scratch_.cotangent.as<float>();
  use(block.output_norm, trace.output_normalised, trace.output_inverse, last);
  last.plain = scratch_.residual.as<float>();
  last.operand = operand_beside_floats(d_);
  norm_backward(stream, rows, d_, last);
  block.down.backward(queue_, rows, operand_of(scratch_.residual), product);
  activation_backward(
      stream, rows, block.down.inputs(),
      {block.activation, block.gated, trace.inside.as<void>(), block.up.bias(), operand(block.up.outputs())}, product);
  block.up.backward(queue_, rows, scratch_.operand.as<void>(), product);
  NormBackward norm;  // to `after`, the cotangent of what the attention's residual and output were added to
  norm.product = product;
  (block.normalises_first ? norm.add : norm.cotangent) = scratch_.residual.as<float>();
  use(block.normalises_first ? block.feed_forward_norm : block.attention_norm, trace.attention_normalised,
      trace.attention_inverse, norm);
  norm.plain = after.as<float>();
  norm.operand = operand_beside_floats(d_);
  norm_backward(stream, rows, d_, norm);
  block.output.backward(queue_, rows, operand_of(after), product);
  if (layer == 0 && pass.moved != nullptr) return backward_moved(pass, trace, product, after.as<float>());
  float* projected = nullptr;
  if (block.finishes_heads()) {  // it goes on by rows before it is an operand
    scratch_.projected.reserve(float_bytes(rows, block.qkv.outputs()));
    projected = scratch_.projected.as<float>();
  }
  attention_backward(stream, attention_of(layer, pass, trace), trace.context.as<void>(), trace.log_sums.as<float>(),
                     product, {scratch_.dots.as<float>(), scratch_.largest.as<unsigned>()}, projected,
                     operand(block.qkv.outputs()));
  if (block.finishes_heads())
    heads_backward(stream, rows, heads_of(block, trace, pass.texts.positions.as<int>()), projected,
                   operand(block.qkv.outputs()));
  block.qkv.backward(queue_, rows, scratch_.operand.as<void>(), product);
  NormBackward first;
  first.product = product;
  first.add = after.as<float>();
  if (block.normalises_first) use(block.attention_norm, trace.first_normalised, trace.first_inverse, first);
  first.plain = scratch_.cotangent.as<float>();
  first.operand = no_operand();
  norm_backward(stream, rows, d_, first);
}

// The vjp of the first layer's attention and of what is before it, for the moved rows only.
void DeviceBlocks::backward_moved(const Pass& pass, const DeviceTrace& trace, const void* context_cotangent,
                                  const float* after) const {
  const DeviceBlock& block = *blocks_.front();
  const Moved& moved = *pass.moved;
  const cudaStream_t stream = queue_.stream();
  const int columns = block.qkv.outputs();
  const long copies = moved.copies.count;
  float *rows = scratch_.moved_qkv.as<float>(), *found = scratch_.moved.as<float>();
  attention_backward_rows(stream, attention_of(0, pass, trace), moved.copies.tokens, trace.context.as<void>(),
                          trace.log_sums.as<float>(), context_cotangent, rows);
  if (block.finishes_heads()) {
    heads_backward(stream, copies, heads_of(block, trace, moved.copies.tokens), rows, operand(columns));
  } else {
    make_operand(stream, copies, columns, rows, columns, operand(columns));
  }
  block.qkv.backward(queue_, copies, scratch_.operand.as<void>(), scratch_.product.as<void>());
  take_rows(stream, moved.copies, d_, after, found);
  NormBackward first;
  first.product = scratch_.product.as<void>();
  first.add = found;
  if (block.normalises_first) use(block.attention_norm, trace.first_normalised, trace.first_inverse, first);
  first.plain = found;
  first.operand = no_operand();
  norm_backward(stream, copies, d_, first);
}

}  // namespace wordsway::cuda
