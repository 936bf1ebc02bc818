// Texts as vectors: hidden states of a layer, or one pooled vector for each text.
#pragma once

#include <optional>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/core/progress.h"

namespace wordsway {

struct EmbedOptions {
  std::optional<ModelOutput> output = {};  // nothing: the last layer
  std::optional<Pooling> pooling = {};     // instead of the model's own; none and no pooled output: hidden states
  std::optional<Index> n = {};             // tokens of every text; nothing: as many as it has
  bool pad = false;                        // fill shorter texts up; otherwise they are an error

  bool pooled() const { return (output && output->pooled) || pooling.has_value(); }
};

/// One matrix a text: [tokens, d], or [1, d] when pooled. `texts` name the encodings in messages. Throws DataError when
/// a text is shorter than n and must not be filled up, or its embedding is not finite.
std::vector<MatrixF> embed_texts(const Model& model, const std::vector<LabelledText>& texts,
                                 const std::vector<Encoding>& encodings, const EmbedOptions& options,
                                 const Progress& progress = {});

}  // namespace wordsway
