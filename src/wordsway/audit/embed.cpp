#include "wordsway/audit/embed.h"

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

MatrixF embed_input(const Transformer& transformer, const Input& input, const EmbedOptions& options) {
  MatrixF hidden = transformer.forward(transformer.embed(input.ids),
                                       options.output.value_or(last_layer(transformer)).layer, input.mask);
  if (!options.pooled()) return hidden;
  return options.pooling.value_or(transformer.pooling()).forward(hidden, input.mask);
}

}  // namespace

std::vector<MatrixF> embed_texts(const Model& model, const std::vector<LabelledText>& texts,
                                 const std::vector<Encoding>& encodings, const EmbedOptions& options,
                                 const Progress& progress) {
  std::vector<MatrixF> embedded(encodings.size());
  StepCounter counter(progress, "embed", static_cast<double>(encodings.size()));
  parallel_for(static_cast<Index>(encodings.size()), [&](Index item) {
    const auto t = static_cast<size_t>(item);
    embedded[t] = embed_input(*model.transformer, make_input(model, encodings[t].ids, options), options);
    if (!embedded[t].allFinite())
      throw DataError(fmt::format("{}: the embedding of text {} (layer {}) holds a number that is not finite",
                                  model.transformer->name(), texts[t].id,
                                  options.output.value_or(last_layer(*model.transformer)).layer));
    counter.step();
  });
  return embedded;
}

}  // namespace wordsway
