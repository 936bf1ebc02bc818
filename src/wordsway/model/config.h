// The settings of config.json, in one vocabulary for all architectures.
#pragma once

#include <string>
#include <vector>

#include "wordsway/model/config_file.h"
#include "wordsway/model/layers/activation.h"
#include "wordsway/model/layers/attention.h"
#include "wordsway/model/layers/score_weights.h"

namespace wordsway {

struct ModelConfig {
  std::string architecture;     // `model_type`: "bert", ...
  Index vocabulary = 0;         // V, word vectors
  Index hidden_size = 0;        // d
  Index layers = 0;             // L
  AttentionShape attention;     // heads and their width
  NormaliserSpec normaliser;    // turns their scores into weights
  bool causal = false;          // a decoder: a token sees itself and what comes before it
  Index feed_forward_size = 0;  // f
  bool gated = false;           // the feed-forward has a gate besides its values: three matrices instead of two
  Index position_rows = 0;      // rows of the position table, or positions that the model was made for
  Index position_offset = 0;    // position of the first token in it: 0, or pad + 1 for RoBERTa
  Index token_types = 0;        // 0 where there are none
  Index padding_id = 0;
  double layer_norm_epsilon = 1e-12;
  ActivationKind activation = ActivationKind::kGelu;
  bool tied_decoder = true;  // the word prediction head uses the word vectors

  /// The longest text, special tokens included.
  Index most_tokens() const { return position_rows - position_offset; }

  /// Multiplications and additions of the matrix products of n tokens going through the first `blocks` layers.
  double forward_flops(Index n, Index blocks) const;
};

/// The keys of BERT and RoBERTa. Throws DataError naming file and key on a missing, absurd or unsupported value.
ModelConfig read_bert_config(const ConfigFile& file);

/// The activation under `key`; DataError naming the file when it is unknown.
ActivationKind read_activation(const ConfigFile& file, const std::string& key, const std::string& fallback);

/// The keys `attention_normaliser` and `attention_beta`, of which Transformers knows nothing; the softmax with β = 1
/// without them. Throws DataError naming the file and the names that there are.
NormaliserSpec read_normaliser(const ConfigFile& file);
/// For architectures with the softmax alone. Throws DataError when one of these keys is there, naming the architecture
/// that supports them.
void refuse_normaliser(const ConfigFile& file, const std::string& supporting);

/// The heads under this key, which share the hidden size and have their own keys and values. Throws DataError unless
/// their number divides it.
AttentionShape read_heads(const ConfigFile& file, const std::string& heads_key, Index hidden_size);

/// Which layers look at a window, by `layer_types` as Transformers 5 writes it: full_attention or sliding_attention for
/// each. Throws DataError on another name, and unless there is one for every layer.
std::vector<bool> read_sliding_layers(const ConfigFile& file, Index layers);

/// Bounds far above those of any model, so that a corrupt number is caught before anything is allocated.
struct ConfigLimits {
  static constexpr Index kVocabulary = 10'000'000, kWidth = 1 << 17, kLayers = 1000, kPositions = 10'000'000;
};

}  // namespace wordsway
