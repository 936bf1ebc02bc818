// What BERT and its relatives share: BERT and RoBERTa differ in how positions are counted, in a prefix, and in the word
// head; DistilBERT has the same embeddings and its own names for the layers, MPNet its own attention.
#pragma once

#include "wordsway/model/architecture_registry.h"
#include "wordsway/model/layers/post_norm_block.h"

namespace wordsway {

/// Words, positions and, where the model has them, token types; `weights` are those after the prefix.
Embedding build_bert_embedding(const ModelConfig& config, const Weights& weights);

/// The layer "encoder.layer.N." of BERT without its attention, which normalises its result by the norm of this name.
PostNormWeights build_bert_layer(const ModelConfig& config, const Weights& weights, const std::string& layer,
                                 SelfAttention attention, const std::string& attention_norm);

/// Embeddings and encoder layers under BERT's names; `weights` are those after the prefix.
ModelParts build_bert_parts(const ModelConfig& config, const Weights& weights);

/// Names of a word head's tensors.
struct MaskedWordHeadNames {
  std::string transform, norm, bias, decoder;
};

/// Without a value if the folder has no such head.
std::optional<MaskedWordHead> build_masked_word_head(const ModelConfig& config, const Weights& weights,
                                                     const MaskedWordHeadNames& names);

}  // namespace wordsway
