#include "wordsway/audit/embed.h"

#include <mutex>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

// The ids of one text and which of them are padding.
struct Input {
  std::vector<int> ids;
  AttentionMask mask;
};

Input make_input(const Model& model, std::vector<int> ids, const EmbedOptions& options) {
  Input input{std::move(ids), {}};
  const Index length = static_cast<Index>(input.ids.size()), n = options.n.value_or(length);
  if (length < n && !options.pad)
    throw DataError(fmt::format("a text has {} tokens, {} are asked for; padding fills it up", length, n));
  if (length < n) {
    std::vector<int> visible(static_cast<size_t>(n), 0);
    std::fill_n(visible.begin(), length, 1);
    input.mask = AttentionMask(visible);
  }
  const SpecialIds& special = model.tokenizer->special_ids();
  input.ids.resize(static_cast<size_t>(n),
                   special.padding.value_or(static_cast<int>(model.transformer->config().padding_id)));
  return input;
}

// Rows of texts in one forward.
Index batch_rows(const Transformer& transformer) {
  return transformer.engine() != nullptr ? transformer.engine()->batch_rows() : kRaggedRows;
}

// Texts that may not stand among others are alone.
std::vector<RaggedBatch> make_batches(Index most_rows, size_t texts, const std::function<Index(size_t)>& length,
                                      const std::function<bool(size_t)>& is_alone) {
  std::vector<RaggedBatch> batches;
  Index room = 0;
  for (size_t t = 0; t < texts; ++t) {
    if (length(t) > room || is_alone(t)) {
      batches.push_back({t, t, {}});
      room = most_rows;
    }
    batches.back().end = t + 1;
    batches.back().lengths.push_back(length(t));
    room = is_alone(t) ? 0 : room - length(t);
  }
  return batches;
}

// The rows of all texts of a batch, below each other; `ids_of` gives the ids of a text.
template <typename IdsOf>
MatrixF embed_batch(const Transformer& transformer, const RaggedBatch& batch, IdsOf ids_of) {
  MatrixF x(batch.rows(), transformer.config().hidden_size);
  for (size_t t = batch.begin; t < batch.end; ++t)
    x.middleRows(batch.row(t), batch.lengths[t - batch.begin]) = transformer.embed(ids_of(t));
  return x;
}

MatrixF forward_batch(const Transformer& transformer, const std::vector<Input>& inputs, const RaggedBatch& batch,
                      Index layer) {
  const MatrixF x = embed_batch(transformer, batch, [&](size_t t) { return std::span(inputs[t].ids); });
  return transformer.forward(
      x, layer, batch.lengths.size() == 1 ? inputs[batch.begin].mask : AttentionMask::of_texts(batch.lengths));
}

ModelOutput output_of(const Transformer& transformer, const EmbedOptions& options) {
  return options.output.value_or(last_layer(transformer));
}

}  // namespace

Index RaggedBatch::row(size_t text) const {
  return std::accumulate(lengths.begin(), lengths.begin() + static_cast<long>(text - begin), Index{0});
}

std::vector<RaggedBatch> ragged_batches(std::span<const Encoding> encodings, Index most_rows) {
  return make_batches(
      most_rows, encodings.size(), [&](size_t t) { return encodings[t].size(); }, [](size_t) { return false; });
}

Index embedding_size(const Transformer& transformer, const EmbedOptions& options) {
  return output_of(transformer, options).readout->columns(transformer);
}

void for_each_embedding(const Model& model, std::span<const LabelledText> texts, std::span<const Encoding> encodings,
                        const EmbedOptions& options, const std::function<void(size_t, const MatrixF&)>& visit) {
  const Transformer& transformer = *model.transformer;
  const ModelOutput output = output_of(transformer, options);
  std::vector<Input> inputs;
  inputs.reserve(encodings.size());
  for (const Encoding& encoding : encodings) inputs.push_back(make_input(model, encoding.ids, options));
  const std::vector<RaggedBatch> batches = make_batches(
      batch_rows(transformer), inputs.size(), [&](size_t t) { return static_cast<Index>(inputs[t].ids.size()); },
      [&](size_t t) { return !inputs[t].mask.all_visible(); });
  parallel_for(static_cast<Index>(batches.size()), [&](Index item) {
    const RaggedBatch& batch = batches[static_cast<size_t>(item)];
    const MatrixF hidden = forward_batch(transformer, inputs, batch, output.layer);
    for (size_t t = batch.begin; t < batch.end; ++t) {
      const auto rows = hidden.middleRows(batch.row(t), static_cast<Index>(inputs[t].ids.size()));
      const MatrixF embedded = output.read(transformer, rows, inputs[t].mask);
      if (!embedded.allFinite())
        throw DataError(fmt::format("{}: the embedding of text {} (layer {}) holds a number that is not finite",
                                    transformer.name(), texts[t].id, output.layer));
      visit(t, embedded);
    }
  });
}

void for_each_hidden_states(const Model& model, std::span<const Encoding> encodings, const VisitStates& visit) {
  const Transformer& transformer = *model.transformer;
  const std::vector<RaggedBatch> batches = ragged_batches(encodings, batch_rows(transformer));
  parallel_for(static_cast<Index>(batches.size()), [&](Index item) {
    const RaggedBatch& batch = batches[static_cast<size_t>(item)];
    const MatrixF x = embed_batch(transformer, batch, [&](size_t t) { return std::span(encodings[t].ids); });
    const std::vector<MatrixF> states = transformer.hidden_states(x, AttentionMask::of_texts(batch.lengths));
    for (size_t t = batch.begin; t < batch.end; ++t) visit(t, states, batch.row(t));
  });
}

std::vector<MatrixF> embed_texts(const Model& model, std::span<const LabelledText> texts,
                                 std::span<const Encoding> encodings, const EmbedOptions& options,
                                 const std::function<void()>& each) {
  std::vector<MatrixF> embedded(encodings.size());
  std::mutex mutex;
  for_each_embedding(model, texts, encodings, options, [&](size_t t, const MatrixF& matrix) {
    embedded[t] = matrix;
    if (!each) return;
    const std::lock_guard lock(mutex);
    each();
  });
  return embedded;
}

EmbeddingFile::EmbeddingFile(std::filesystem::path path, const Model& model, EmbedOptions options,
                             std::optional<Index> count)
    : path_(std::move(path)), model_(model), options_(std::move(options)), count_(count) {
  check_count(count.value_or(1));
}

void EmbeddingFile::check_count(Index texts) const {
  if (texts > 1 && is_of_one_text())
    throw UsageError(
        "texts differ in length: give --n to cut them to one length, or --pool for one vector for each text");
}

void EmbeddingFile::open(Index tokens_of_first) {
  std::vector<Index> row = {embedding_size(*model_.transformer, options_)};
  if (!options_.gives_vectors() && options_.n) row.insert(row.begin(), *options_.n);
  writer_.emplace(path_, row, is_of_one_text() ? std::optional(tokens_of_first) : count_);
}

void EmbeddingFile::append(std::span<const LabelledText> texts, std::span<const Encoding> encodings,
                           const std::function<void()>& each) {
  check_count(texts_ + static_cast<Index>(texts.size()));
  append(embed_texts(model_, texts, encodings, options_, each));
}

void EmbeddingFile::append(std::span<const MatrixF> embeddings) {
  texts_ += static_cast<Index>(embeddings.size());
  check_count(texts_);
  for (const MatrixF& part : embeddings) {
    if (!writer_) open(part.rows());
    writer_->append({part.data(), static_cast<size_t>(part.size())});
  }
}

std::vector<Index> EmbeddingFile::commit() {
  if (!writer_) throw UsageError("there is no text to embed");
  writer_->commit();
  return writer_->shape();
}

}  // namespace wordsway
