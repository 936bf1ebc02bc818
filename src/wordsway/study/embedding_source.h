// Samples made of texts: the embedding output (hidden_states[0]) of a model, its first n rows and d coordinates, rows
// then scaled to √d, as the paper does with BERT and IMDb.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/data/data_source.h"
#include "wordsway/model/encoder.h"

namespace wordsway {

/// Texts as ids, special tokens included. Trial t gets the t-th text, going round, among those with at least n tokens.
/// `name` is what results call it. Throws DataError when there is no text.
std::shared_ptr<const DataSource> embedding_source(std::string name, std::shared_ptr<const Encoder> encoder,
                                                   std::vector<std::vector<int>> texts, bool normalise);

}  // namespace wordsway
