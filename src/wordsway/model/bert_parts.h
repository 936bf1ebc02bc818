// What BERT and its relatives share: BERT and RoBERTa differ in how positions are counted, in a prefix, and in the word
// head; DistilBERT has the same embeddings and its own names for the layers.
#pragma once

#include "wordsway/model/architecture_registry.h"

namespace wordsway {

/// Words, positions and, where the model has them, token types; `weights` are those after the prefix.
Embedding build_bert_embedding(const ModelConfig& config, const Weights& weights);

/// Embeddings and encoder layers under BERT's names; `weights` are those after the prefix.
ModelParts build_bert_parts(const ModelConfig& config, const Weights& weights);

/// Names of a word head's tensors.
struct WordHeadNames {
  std::string transform, norm, bias, decoder;
};

/// Nothing where the folder has no such head.
std::optional<WordHead> build_word_head(const ModelConfig& config, const Weights& weights, const WordHeadNames& names);

}  // namespace wordsway
