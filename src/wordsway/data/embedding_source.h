// Samples made of texts: the embedding output (hidden_states[0]) of a model, its first n rows and d coordinates, rows
// then scaled to √d, as the paper does with BERT and IMDb.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "wordsway/data/data_source.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/model/transformer.h"
#include "wordsway/text/corpus/encoded_texts.h"

namespace wordsway {

/// X: [n, d] of a text with at least n tokens. Throws DataError when the text, the model's positions or its embedding
/// are too short.
Matrix embed_text(const Transformer& transformer, std::span<const int> ids, Index n, Index d, bool normalise);

/// Row `token` of X for texts that have each of these ids there: [ids, d].
Matrix embed_words(const Transformer& transformer, std::span<const int> ids, Index token, Index d, bool normalise);

/// Trial t gets the t-th text, going round, among those with at least n tokens; rows are scaled to √d when `normalise`
/// is set. Words that replace a token are the other tokens of all texts. Throws DataError when there is no text.
std::shared_ptr<const DataSource> embedding_source(std::shared_ptr<const Transformer> transformer, EncodedTexts texts,
                                                   bool normalise = true);

/// Every trial draws N + 1 texts among those with at least n tokens that differ in their first n. Throws DataError when
/// there is no text, or not a label of 1 or -1 for each.
std::shared_ptr<const LabelledSource> labelled_embedding_source(std::shared_ptr<const Transformer> transformer,
                                                                EncodedTexts texts, std::vector<double> labels,
                                                                std::uint64_t seed, bool normalise = true);

}  // namespace wordsway
