// Texts as vectors: hidden states of a layer, or one vector for each text.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "wordsway/audit/model.h"

namespace wordsway {

/// Texts whose rows go through a model below each other.
struct RaggedBatch {
  size_t begin, end;           // of the texts
  std::vector<Index> lengths;  // theirs, in tokens

  Index rows() const { return row(end); }
  /// Where the rows of a text begin.
  Index row(size_t text) const;
};

/// Neighbouring texts together, some hundred rows at a time: enough that the weights, which come from memory once for
/// each batch, cost little beside the work on them; few enough that a batch stays in the caches and there is one for
/// every thread.
std::vector<RaggedBatch> ragged_batches(std::span<const Encoding> encodings);

struct EmbedOptions {
  std::optional<ModelOutput> output = {};   // nothing: the last layer
  std::optional<SentenceChain> chain = {};  // instead of what the output says: one vector of its layer
  std::optional<Index> n = {};              // tokens of every text; nothing: as many as it has
  bool pad = false;                         // fill shorter texts up; otherwise they are an error

  /// Whether every text has one row.
  bool gives_vectors() const { return (output && output->is_vector()) || chain.has_value(); }
};

/// How many numbers the vector of a text has, or that of a token where a text has a row for each.
Index embedding_size(const Transformer& transformer, const EmbedOptions& options);

/// Calls visit(t, matrix) with the matrix of every text: [tokens, d], or one row. Texts go through the
/// linear layers together, some hundred tokens at a time; each has the same bits as alone. Calls come in any order and
/// from any thread, several at once. Throws DataError when a text is shorter than n and must not be filled up, or its
/// embedding is not finite; `texts` name the encodings then.
void for_each_embedding(const Model& model, std::span<const LabelledText> texts, std::span<const Encoding> encodings,
                        const EmbedOptions& options, const std::function<void(size_t, const MatrixF&)>& visit);

/// Calls visit(t, states, row) with the hidden states 0 … layers of every text, each in full length: rows
/// [row, row + tokens) of states[layer], among those of other texts. Calls come as for_each_embedding's do.
using VisitStates = std::function<void(size_t text, const std::vector<MatrixF>& states, Index row)>;
void for_each_hidden_states(const Model& model, std::span<const Encoding> encodings, const VisitStates& visit);

/// All embeddings, in order. `each` is called when a text is done, from any thread, one at a time.
std::vector<MatrixF> embed_texts(const Model& model, std::span<const LabelledText> texts,
                                 std::span<const Encoding> encodings, const EmbedOptions& options,
                                 const std::function<void()>& each = {});

}  // namespace wordsway
