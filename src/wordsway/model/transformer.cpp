#include "wordsway/model/transformer.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/io/input_file.h"
#include "wordsway/model/gguf_config.h"
#include "wordsway/model/gguf_tensors.h"

namespace wordsway {
namespace {

void check_row(Index i, Index rows) {
  if (i < 0 || i >= rows)
    throw UsageError(fmt::format("row {} is out of range; the text has rows 0 to {}", i, rows - 1));
}

// The trace of forward_changed_row of a decoder begins at the changed row.
void check_trace_has(Index row, const TransformerTrace& trace) {
  if (row < trace.first)
    throw UsageError(fmt::format(
        "the trace has rows from {} on, those that the changed row moves; asked was for row {}", trace.first, row));
}

AttentionMask mask_of_equal_texts(Index texts, Index rows) {
  return AttentionMask::of_texts(std::vector<Index>(static_cast<size_t>(texts), rows));
}

// Raise it when hidden states or gradients of the same weights change by more than rounding.
constexpr std::int64_t kEngineMethod = 1;

const ArchitectureEntry& architecture_of(const ConfigFile& file) {
  const std::string type = file.text("model_type");
  try {
    return architecture_registry().get(type);
  } catch (const UsageError& unknown) {
    file.refuse("model_type", fmt::format("is not supported: {}", unknown.what()));
  }
}

std::vector<std::string> architectures_with_normalisers() {
  std::vector<std::string> names = architecture_registry().names();
  std::erase_if(names, [](const std::string& name) { return !architecture_registry().get(name).has_normalisers; });
  return names;
}

ModelConfig config_of(const ConfigFile& file) {
  const ArchitectureEntry& architecture = architecture_of(file);
  if (!architecture.has_normalisers) refuse_normaliser(file, enumerate(architectures_with_normalisers(), "or"));
  return architecture.read_config(file);
}

std::string folder_name(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(folder, error);  // fails in a deleted folder
  const std::filesystem::path full = (error ? folder : absolute).lexically_normal();
  return full.has_filename() ? full.filename().string() : full.parent_path().filename().string();
}

}  // namespace

std::unique_ptr<Transformer> Transformer::load(const std::filesystem::path& folder) {
  if (is_gguf_path(folder)) return load_gguf(folder);
  if (!path_is_folder(folder)) {
    throw FileError(fmt::format("{}: there is no such model folder", folder.string()));
  }
  return load(folder, read_sentence_folder(folder));
}

std::unique_ptr<Transformer> Transformer::load(const std::filesystem::path& folder, SentenceFolder sentence) {
  std::vector<SourceFile> files = {note_file("settings", sentence.transformer / "config.json")};
  const ConfigFile file(sentence.transformer / "config.json");
  const ModelConfig config = config_of(file);
  sentence.check(config.hidden_size);
  const Weights weights(sentence.transformer);
  for (SourceFile& weight_file : weights.files()) files.push_back(std::move(weight_file));
  for (SourceFile& chain_file : sentence.files) files.push_back(std::move(chain_file));
  return build(file, config, weights, std::move(sentence.chain), folder_name(folder), std::move(files));
}

std::unique_ptr<Transformer> Transformer::load_gguf(const std::filesystem::path& path) {
  const auto set = std::make_shared<const GgufSet>(GgufSet::open(path));
  const ConfigFile file = read_gguf_config(*set);
  const ModelConfig config = config_of(file);
  const Weights weights(set->path(), std::make_shared<const GgufTensors>(set, config));
  return build(file, config, weights, SentenceChain(), set->name(), weights.files());
}

std::unique_ptr<Transformer> Transformer::build(const ConfigFile& file, const ModelConfig& config,
                                                const Weights& weights, SentenceChain chain, std::string name,
                                                std::vector<SourceFile> files) {
  ModelParts parts = architecture_of(file).build(file, config, weights);
  weights.check_unchanged();
  auto transformer =
      std::make_unique<Transformer>(config, std::move(parts), std::move(chain), std::move(name), std::move(files));
  transformer->weight_bytes_ = weights.memory_bytes();
  transformer->weight_types_ = weights.types();
  return transformer;
}

Transformer::Transformer(ModelConfig config, ModelParts parts, SentenceChain chain, std::string name,
                         std::vector<SourceFile> files)
    : config_(std::move(config)),
      parts_(std::move(parts)),
      chain_(std::move(chain)),
      name_(std::move(name)),
      files_(std::move(files)) {
  const bool all_there = std::ranges::all_of(parts_.blocks, [](const auto& part) { return part != nullptr; });
  if (config_.layers < 1 || static_cast<Index>(parts_.blocks.size()) != config_.layers || !all_there)
    throw DataError(fmt::format("{}: a model needs as many blocks as its config has layers, at least 1; got {} for {}",
                                name_, parts_.blocks.size(), config_.layers));
  chain_.check(config_.hidden_size);
  parameters_ = chain_.parameters() + parts_.embedding.parameters() + parts_.parameters_of_all_blocks;
  for (const auto& part : parts_.blocks) parameters_ += part->parameters();
  if (parts_.masked_word_head) parameters_ += parts_.masked_word_head->parameters();
  if (parts_.next_word_head) parameters_ += parts_.next_word_head->parameters();
  weight_bytes_ = 4 * static_cast<double>(parameters_);
}

Record Transformer::content() const {
  if (files_.empty())
    throw UsageError(fmt::format(
        "{}: a model that did not come from files cannot be told from another; keep no journal with it", name_));
  Record content = files_.fields();
  content.set("pooling", chain_.describe());
  content.set("method of the model engine", kEngineMethod);
  if (engine_ != nullptr) content.merge(fields_of(engine_->device()));
  return content;
}

MatrixF Transformer::embed(std::span<const int> ids, std::span<const int> token_types) const {
  return parts_.embedding.forward(ids, token_types);
}

MatrixF Transformer::embed_at_row(std::span<const int> ids, Index j) const {
  return parts_.embedding.at_row(ids, j);
}

void Transformer::check(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const {
  if (layer < 0 || layer > config_.layers) {
    throw UsageError(fmt::format("layer {} does not exist; the model has layers 0 to {}", layer, config_.layers));
  }
  if (x.rows() < 1 || x.cols() != config_.hidden_size) {
    throw DataError(fmt::format("the model takes token rows of {} numbers; given was a {} by {} matrix",
                                config_.hidden_size, x.rows(), x.cols()));
  }
  mask.check(x.rows());
}

void Transformer::check_cotangent(ConstMatrixFRef cotangent, Index rows) const {
  if (cotangent.rows() != rows || cotangent.cols() != config_.hidden_size)
    throw DataError(fmt::format("the cotangent must have the hidden state's shape {} x {}; got {} x {}", rows,
                                config_.hidden_size, cotangent.rows(), cotangent.cols()));
}

std::unique_ptr<BlockTrace> Transformer::make_scratch() const {
  auto scratch = block(0).make_trace();
  scratch->for_vjp = false;
  return scratch;
}

void Transformer::prepare(TransformerTrace& trace, Index tokens, Index layer, const AttentionMask& mask) const {
  for (auto l = static_cast<Index>(trace.blocks.size()); l < layer; ++l) trace.blocks.push_back(block(l).make_trace());
  trace.layers = layer;
  trace.tokens = tokens;
  trace.texts = 1;
  trace.first = 0;
  trace.mask = mask;
}

// Texts with padding are computed on the CPU.
const DeviceEngine* Transformer::engine_for(const AttentionMask& mask) const {
  return mask.all_visible() ? engine_.get() : nullptr;
}

// Passes x through blocks 0 ... layers − 1: step(l, state, next) computes the output of block l.
template <typename Step>
MatrixF Transformer::run_layers(MatrixF x, Index layers, Step step) const {
  MatrixF next;
  for (Index l = 0; l < layers; ++l) {
    throw_if_stopped();
    step(l, x, next);
    x.swap(next);
  }
  return x;
}

// The cotangent of the input of block `first` from that of the trace's output.
MatrixF Transformer::vjp_layers(const TransformerTrace& trace, MatrixF cotangent, Index first) const {
  for (Index l = trace.layers - 1; l >= first; --l) {
    throw_if_stopped();
    block(l).vjp(*trace.blocks[static_cast<size_t>(l)], trace.mask, cotangent, cotangent);
  }
  return cotangent;
}

std::vector<MatrixF> Transformer::hidden_states(ConstMatrixFRef x, const AttentionMask& mask) const {
  check(x, 0, mask);
  if (const DeviceEngine* engine = engine_for(mask)) return engine->hidden_states(x, config_.layers, mask);
  std::vector<MatrixF> states{x};
  const auto scratch = make_scratch();
  run_layers(x, config_.layers, [&](Index l, const MatrixF& state, MatrixF& next) {
    block(l).forward(state, mask, *scratch, next);
    states.push_back(next);
  });
  return states;
}

MatrixF Transformer::forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const {
  check(x, layer, mask);
  if (const DeviceEngine* engine = engine_for(mask)) return engine->forward(x, layer, mask);
  const auto scratch = make_scratch();
  return run_layers(
      x, layer, [&](Index l, const MatrixF& state, MatrixF& next) { block(l).forward(state, mask, *scratch, next); });
}

MatrixF Transformer::forward(ConstMatrixFRef x, Index layer, const AttentionMask& mask, TransformerTrace& trace) const {
  check(x, layer, mask);
  prepare(trace, x.rows(), layer, mask);
  MatrixF state = run_layers(x, layer, [&](Index l, const MatrixF& before, MatrixF& next) {
    block(l).forward(before, mask, *trace.blocks[static_cast<size_t>(l)], next);
  });
  if (is_decoder()) trace.output = state;
  return state;
}

MatrixF Transformer::forward_changed_row(ConstMatrixFRef x, Index i, const TransformerTrace& base,
                                         TransformerTrace& trace) const {
  check_changed(x, i, base);
  if (is_decoder()) {
    MatrixF hidden(base.tokens, x.cols());
    hidden.topRows(i) = base.output.topRows(i);
    hidden.bottomRows(x.rows() - i) = forward_from(x.bottomRows(x.rows() - i), 1, i, base, &trace);
    return hidden;
  }
  prepare(trace, base.tokens, base.layers, base.mask);
  return run_layers(x, base.layers, [&](Index l, const MatrixF& state, MatrixF& next) {
    BlockTrace& kept = *trace.blocks[static_cast<size_t>(l)];
    if (l == 0) {
      block(l).forward_changed_row(state, i, *base.blocks[0], base.mask, kept, next);
    } else {
      block(l).forward(state, base.mask, kept, next);
    }
  });
}

void Transformer::check_changed(ConstMatrixFRef x, Index i, const TransformerTrace& base) const {
  if (base.texts != 1) throw UsageError("the trace of several changed rows cannot be the base of another");
  check(x, base.layers, base.mask);
  check_row(i, x.rows());
  if (x.rows() != base.tokens)
    throw DataError(fmt::format("the text has {} tokens, but that of the trace has {}", x.rows(), base.tokens));
  if (is_decoder()) check_trace_has(0, base);
}

MatrixF Transformer::forward_changed_rows(ConstMatrixFRef x, ConstMatrixFRef rows, Index i,
                                          const TransformerTrace& base, TransformerTrace* trace) const {
  check_changed(x, i, base);
  if (base.mask.texts(x.rows()).size() > 1 || !base.mask.all_visible())
    throw UsageError("several changed rows at once are those of one text, all of it visible");
  if (rows.rows() < 1 || rows.cols() != x.cols())
    throw DataError(fmt::format("changed rows must be of {} numbers, at least one; got {} x {}", x.cols(), rows.rows(),
                                rows.cols()));
  const Index first = first_changed_row(i), own = x.rows() - first, texts = rows.rows();
  MatrixF state = x.bottomRows(own).replicate(texts, 1);
  for (Index k = 0; k < texts; ++k) state.row(k * own + i - first) = rows.row(k);
  if (is_decoder()) return forward_from(std::move(state), texts, first, base, trace);
  const AttentionMask mask = mask_of_equal_texts(texts, own);
  if (trace == nullptr) return forward(state, base.layers, mask);
  state = forward(state, base.layers, mask, *trace);
  trace->tokens = x.rows();
  trace->texts = texts;
  return state;
}

// `state` has the rows of the texts from `first` on; no other rows depend on them.
MatrixF Transformer::forward_from(MatrixF state, Index texts, Index first, const TransformerTrace& base,
                                  TransformerTrace* trace) const {
  const AttentionMask mask = texts == 1 ? base.mask : mask_of_equal_texts(texts, base.tokens - first);
  const auto scratch = trace == nullptr ? make_scratch() : nullptr;
  if (trace != nullptr) {
    prepare(*trace, base.tokens, base.layers, mask);
    trace->texts = texts;
    trace->first = first;
  }
  return run_layers(std::move(state), base.layers, [&](Index l, const MatrixF& before, MatrixF& next) {
    const auto layer = static_cast<size_t>(l);
    block(l).forward_from(before, first, *base.blocks[layer], mask, trace != nullptr ? *trace->blocks[layer] : *scratch,
                          next);
  });
}

MatrixF Transformer::vjp(const TransformerTrace& trace, ConstMatrixFRef cotangent) const {
  check_cotangent(cotangent, trace.texts * trace.tokens);
  check_trace_has(0, trace);
  return vjp_layers(trace, cotangent, 0);
}

RowF Transformer::vjp_row(const TransformerTrace& trace, ConstMatrixFRef cotangent, Index i) const {
  if (trace.texts != 1) throw UsageError("the trace is of several texts; expected that of one");
  check_cotangent(cotangent, trace.tokens);
  check_row(i, trace.tokens);
  check_trace_has(i, trace);
  const MatrixF state = vjp_layers(trace, cotangent.bottomRows(trace.tokens - trace.first), 1);
  if (trace.layers == 0) return state.row(i - trace.first);
  return block(0).vjp_row(*trace.blocks[0], trace.mask, state, i - trace.first);
}

MatrixF Transformer::vjp_changed_rows(const TransformerTrace& trace, ConstMatrixFRef cotangent, Index i) const {
  const Index rows = trace.tokens - trace.first;
  check_cotangent(cotangent, trace.texts * rows);
  check_row(i, trace.tokens);
  check_trace_has(i, trace);
  const MatrixF state = vjp_layers(trace, cotangent, 0);
  MatrixF result(trace.texts, cotangent.cols());
  for (Index k = 0; k < trace.texts; ++k) result.row(k) = state.row(k * rows + i - trace.first);
  return result;
}

void Transformer::check_attention(const AttentionRange& range) const {
  const Index last_layer = range.first_layer + range.layers - 1, last_head = range.first_head + range.heads - 1;
  for (const Index layer : {range.first_layer, last_layer})
    if (layer < 1 || layer > config_.layers)
      throw UsageError(
          fmt::format("layer {} has no attention; the model has it in layers 1 to {}", layer, config_.layers));
  for (const Index head : {range.first_head, last_head})
    if (head < 0 || head >= config_.attention.heads)
      throw UsageError(
          fmt::format("head {} does not exist; the model has heads 0 to {}", head, config_.attention.heads - 1));
}

void Transformer::for_each_attention(ConstMatrixFRef x, const AttentionRange& range, const VisitAttention& visit,
                                     const AttentionMask& mask) const {
  check(x, 0, mask);
  check_attention(range);
  const Index last = range.first_layer + range.layers - 1;
  if (const DeviceEngine* engine = engine_for(mask)) {  // states come from the device, probabilities from the CPU
    const std::vector<MatrixF> states = engine->hidden_states(x, last - 1, mask);
    for (Index layer = range.first_layer; layer <= last; ++layer) {
      throw_if_stopped();
      visit(layer,
            block(layer - 1).attention(states[static_cast<size_t>(layer - 1)], mask, range.first_head, range.heads));
    }
    return;
  }
  const auto scratch = make_scratch();
  const auto visit_block = [&](Index l, const MatrixF& state) {
    if (l + 1 >= range.first_layer) visit(l + 1, block(l).attention(state, mask, range.first_head, range.heads));
  };
  const MatrixF state = run_layers(x, last - 1, [&](Index l, const MatrixF& before, MatrixF& next) {
    visit_block(l, before);
    block(l).forward(before, mask, *scratch, next);
  });
  throw_if_stopped();
  visit_block(last - 1, state);  // its output is not needed
}

MatrixF Transformer::attention(ConstMatrixFRef x, Index layer, Index head, const AttentionMask& mask) const {
  MatrixF result;
  for_each_attention(
      x, {layer, 1, head, 1}, [&](Index, const std::vector<MatrixF>& heads) { result = heads.front(); }, mask);
  return result;
}

Matrix Transformer::mean_attention(ConstMatrixFRef x, Index layer, const AttentionMask& mask) const {
  Matrix mean = Matrix::Zero(x.rows(), x.rows());
  const auto add = [&](Index, const std::vector<MatrixF>& heads) {
    for (const MatrixF& head : heads) mean += head.cast<double>() / static_cast<double>(heads.size());
  };
  for_each_attention(x, {layer, 1, 0, config_.attention.heads}, add, mask);
  return mean;
}

MatrixF Transformer::score_gradients(ConstMatrixFRef x, Index token) const {
  check(x, 0, {});
  check_row(token, x.rows());
  return block(0).score_gradients(x, token);
}

KeyValueCache Transformer::make_cache() const {
  if (engine_ == nullptr || !is_decoder()) return {config_.layers, config_.attention};
  return {config_.layers, config_.attention, engine_->make_cache()};
}

MatrixF Transformer::extend(std::span<const int> ids, KeyValueCache& cache) const {
  if (cache.tokens() == 0) return extend(embed(ids), cache);
  const auto count = static_cast<Index>(ids.size());
  check_extension(count, cache);
  MatrixF x(count, config_.hidden_size);
  for (Index k = 0; k < count; ++k)
    x.row(k) = embed_at_row(ids.subspan(static_cast<size_t>(k), 1), cache.tokens() + k).row(0);
  return extend(x, cache);
}

MatrixF Transformer::extend(ConstMatrixFRef x, KeyValueCache& cache) const {
  check(x, 0, {});
  check_extension(x.rows(), cache);
  if (DeviceCache* on_device = cache.device_cache()) {
    if (engine_ == nullptr) throw UsageError("the cache is on a device that this model does not use");
    MatrixF state = engine_->extend(x, *on_device, cache.tokens());
    cache.advance(x.rows());
    return state;
  }
  MatrixF state = run_layers(x, config_.layers, [&](Index l, const MatrixF& before, MatrixF& next) {
    block(l).extend(before, l, cache, next);
  });
  cache.advance(x.rows());
  return state;
}

void Transformer::check_extension(Index count, const KeyValueCache& cache) const {
  if (!is_decoder())
    throw DataError(
        fmt::format("{}: the model is not a decoder: its tokens see those after them, so a text cannot grow without "
                    "being computed again",
                    name_));
  if (cache.layers() != config_.layers || cache.columns() != config_.attention.kv_columns())
    throw UsageError(fmt::format("the cache has {} layers of {} columns, but those of {} are {} of {}", cache.layers(),
                                 cache.columns(), name_, config_.layers, config_.attention.kv_columns()));
  if (cache.tokens() + count > config_.most_tokens())
    throw DataError(fmt::format("the text has {} tokens, but the model has positions for {}", cache.tokens() + count,
                                config_.most_tokens()));
}

const PackedWeights* Transformer::next_word_table() const {
  if (!predicts_next_word()) return nullptr;
  const PackedWeights& own = parts_.next_word_head->table;
  return own.size() > 0 ? &own : &parts_.embedding.words;
}

MatrixF Transformer::logits(ConstMatrixFRef hidden) const {
  if (!predicts_next_word())
    throw DataError(fmt::format("{}: the model has no head that predicts the next word", name_));
  check(hidden, 0, {});
  if (engine_ != nullptr) return engine_->logits(hidden);
  return parts_.next_word_head->logits(hidden, parts_.embedding.words);
}

MatrixF Transformer::logits_vjp(ConstMatrixFRef cotangent) const {
  if (!predicts_next_word())
    throw DataError(fmt::format("{}: the model has no head that predicts the next word", name_));
  if (cotangent.cols() != config_.vocabulary)
    throw DataError(
        fmt::format("the cotangent of logits must have {} columns; got {}", config_.vocabulary, cotangent.cols()));
  if (engine_ != nullptr) return engine_->logits_vjp(cotangent);
  return parts_.next_word_head->vjp(cotangent, parts_.embedding.words);
}

MatrixF Transformer::word_logits(ConstMatrixFRef hidden) const {
  if (!predicts_words()) throw DataError(fmt::format("{}: the model has no head that predicts words", name_));
  check(hidden, 0, {});
  return parts_.masked_word_head->logits(hidden, parts_.embedding.words);
}

}  // namespace wordsway
