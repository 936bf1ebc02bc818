// Samples made of texts: the embedding output (hidden_states[0]) of a model, its first n rows and d coordinates, rows
// then scaled to √d, as the paper does with BERT and IMDb.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wordsway/data/data_source.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/model/encoder.h"

namespace wordsway {

/// X: [n, d] of a text with at least n tokens. Throws DataError when the text, the model's positions or its embedding
/// are too short.
Matrix embed_text(const Encoder& encoder, std::span<const int> ids, Index n, Index d, bool normalise);

/// Texts as ids, special tokens included.
struct EncodedTexts {
  std::string name;  // what results call them
  std::vector<std::vector<int>> ids;
  std::vector<double> labels;  // 1 or -1 each; empty when nobody asks for them
  bool normalise = true;       // scale rows to √d
};

/// Trial t gets the t-th text, going round, among those with at least n tokens. Throws DataError when there is no text.
std::shared_ptr<const DataSource> embedding_source(std::shared_ptr<const Encoder> encoder, EncodedTexts texts);

/// Every trial draws N + 1 texts among those with at least n tokens that differ in their first n. Throws DataError when
/// there is no text, or not a label of 1 or -1 for each.
std::shared_ptr<const LabelledSource> labelled_embedding_source(std::shared_ptr<const Encoder> encoder,
                                                                EncodedTexts texts, std::uint64_t seed);

}  // namespace wordsway
