#include "wordsway/audit/embed.h"

#include <mutex>

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

// Texts that go through the layers together.
struct Batch {
  size_t begin, end;
};

// Enough rows that the weights, which come from memory once for each batch, cost little beside the work on them; few
// enough that a batch stays in the caches and there is one for every thread.
constexpr Index kBatchRows = 256;

std::vector<Batch> make_batches(const std::vector<Input>& inputs) {
  std::vector<Batch> batches;
  Index room = 0;
  for (size_t t = 0; t < inputs.size(); ++t) {
    const auto length = static_cast<Index>(inputs[t].ids.size());
    const bool alone = !inputs[t].mask.all_visible();
    if (length > room || alone) {
      batches.push_back({t, t});
      room = kBatchRows;
    }
    batches.back().end = t + 1;
    room = alone ? 0 : room - length;
  }
  return batches;
}

// Hidden states of all texts of a batch, below each other.
MatrixF forward_batch(const Transformer& transformer, std::span<const Input> inputs, Index layer) {
  if (inputs.size() == 1) return transformer.forward(transformer.embed(inputs[0].ids), layer, inputs[0].mask);
  std::vector<Index> lengths;
  Index rows = 0;
  for (const Input& input : inputs) rows += lengths.emplace_back(static_cast<Index>(input.ids.size()));
  MatrixF x(rows, transformer.config().hidden_size);
  Index row = 0;
  for (size_t k = 0; k < inputs.size(); ++k) {
    x.middleRows(row, lengths[k]) = transformer.embed(inputs[k].ids);
    row += lengths[k];
  }
  return transformer.forward(x, layer, AttentionMask::of_texts(lengths));
}

ModelOutput output_of(const Transformer& transformer, const EmbedOptions& options) {
  return options.output.value_or(last_layer(transformer));
}

}  // namespace

Index embedding_size(const Transformer& transformer, const EmbedOptions& options) {
  const Index d = transformer.config().hidden_size;
  if (!options.pooled()) return d;
  return (options.chain ? *options.chain : transformer.sentence_chain()).output_size(d);
}

void for_each_embedding(const Model& model, std::span<const LabelledText> texts, std::span<const Encoding> encodings,
                        const EmbedOptions& options, const std::function<void(size_t, const MatrixF&)>& visit) {
  const Transformer& transformer = *model.transformer;
  const ModelOutput output = output_of(transformer, options);
  const SentenceChain& chain = options.chain ? *options.chain : transformer.sentence_chain();
  std::vector<Input> inputs;
  inputs.reserve(encodings.size());
  for (const Encoding& encoding : encodings) inputs.push_back(make_input(model, encoding.ids, options));
  const std::vector<Batch> batches = make_batches(inputs);
  parallel_for(static_cast<Index>(batches.size()), [&](Index item) {
    const auto [begin, end] = batches[static_cast<size_t>(item)];
    const MatrixF hidden = forward_batch(transformer, std::span(inputs).subspan(begin, end - begin), output.layer);
    Index row = 0;
    for (size_t t = begin; t < end; ++t) {
      const auto rows = hidden.middleRows(row, static_cast<Index>(inputs[t].ids.size()));
      row += rows.rows();
      const MatrixF embedded =
          options.pooled() ? MatrixF(chain.forward(rows, inputs[t].mask, output.first_pooled)) : MatrixF(rows);
      if (!embedded.allFinite())
        throw DataError(fmt::format("{}: the embedding of text {} (layer {}) holds a number that is not finite",
                                    transformer.name(), texts[t].id, output.layer));
      visit(t, embedded);
    }
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

}  // namespace wordsway
