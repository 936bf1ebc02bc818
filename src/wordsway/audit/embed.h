// Texts as vectors: hidden states of a layer, or one vector for each text.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/io/npy.h"

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
/// every thread. On a device there are `most_rows` at a time.
inline constexpr Index kRaggedRows = 256;
std::vector<RaggedBatch> ragged_batches(std::span<const Encoding> encodings, Index most_rows = kRaggedRows);

struct EmbedOptions {
  std::optional<ModelOutput> output = {};  // without a value: the last layer
  std::optional<Index> n = {};             // tokens of every text; without a value: as many as it has
  bool pad = false;                        // fill shorter texts up; otherwise they are an error

  /// Whether every text has one row.
  bool gives_vectors() const { return output && output->is_vector(); }
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

/// Embeddings of texts as one .npy array, float32, batch after batch, so that memory does not grow with the corpus:
/// [texts, d] where they are pooled, [texts, n, d] where all have n tokens, else [tokens, d] of a single text. The file
/// appears complete or not at all.
class EmbeddingFile {
 public:
  /// `count` is how many texts there will be, where that is known. Throws UsageError when several texts, each as long
  /// as it is, would have to make one array.
  EmbeddingFile(std::filesystem::path path, const Model& model, EmbedOptions options, std::optional<Index> count);

  /// The next texts. Throws what embed_texts and NpyRowWriter throw, and UsageError as above.
  void append(std::span<const LabelledText> texts, std::span<const Encoding> encodings,
              const std::function<void()>& each = {});
  /// The next embeddings, one matrix for each text.
  void append(std::span<const MatrixF> embeddings);
  /// The end; returns the shape.
  std::vector<Index> commit();

 private:
  bool is_of_one_text() const { return !options_.gives_vectors() && !options_.n; }
  void check_count(Index texts) const;
  void open(Index tokens_of_first);

  std::filesystem::path path_;
  const Model& model_;
  EmbedOptions options_;
  std::optional<Index> count_;
  Index texts_ = 0;
  std::optional<NpyRowWriter<float>> writer_;  // from the first text on
};

}  // namespace wordsway
