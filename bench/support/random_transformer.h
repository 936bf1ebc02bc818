// Models of a real size with random weights, for timing without files.
#pragma once

#include <memory>

#include "wordsway/model/transformer.h"

namespace wordsway::bench {

/// 12 layers, d = 768, 12 heads, feed-forward 3072, vocabulary 30522.
ModelConfig bert_base();
/// 6 layers, d = 384, 12 heads, feed-forward 1536, vocabulary 30522.
ModelConfig mini_lm();

std::unique_ptr<Transformer> random_transformer(const ModelConfig& config);

}  // namespace wordsway::bench
