#include "support/random_transformer.h"

#include <cmath>
#include <random>

#include "wordsway/model/layers/post_norm_block.h"

namespace wordsway::bench {
namespace {

// Uniform numbers are enough: time does not depend on the distribution, unless numbers overflow or become denormal.
class Source {
 public:
  MatrixF matrix(Index rows, Index columns, float scale) {
    std::uniform_real_distribution<float> uniform(-scale, scale);
    return MatrixF::NullaryExpr(rows, columns, [&] { return uniform(engine_); });
  }
  Linear linear(Index in, Index out) {
    return {PackedWeights(matrix(out, in, 1.7f / std::sqrt(static_cast<float>(in)))), matrix(1, out, 0.1f)};
  }
  LayerNorm norm(Index d) { return {RowF::Ones(d), matrix(1, d, 0.1f), 1e-12f}; }

 private:
  std::minstd_rand engine_{1};
};

ModelConfig sizes(Index layers, Index d, Index heads, Index f) {
  ModelConfig config;
  config.architecture = "bert";
  config.vocabulary = 30522;
  config.hidden_size = d;
  config.layers = layers;
  config.attention = AttentionShape::with_own_keys(heads, d / heads);
  config.feed_forward_size = f;
  config.position_rows = 512;
  config.token_types = 2;
  return config;
}

}  // namespace

ModelConfig bert_base() {
  return sizes(12, 768, 12, 3072);
}

ModelConfig mini_lm() {
  return sizes(6, 384, 12, 1536);
}

std::unique_ptr<Transformer> random_transformer(const ModelConfig& config) {
  Source source;
  const Index d = config.hidden_size, f = config.feed_forward_size;
  ModelParts parts;
  parts.embedding = {PackedWeights(source.matrix(config.vocabulary, d, 0.1f)),
                     source.matrix(config.position_rows, d, 0.1f), source.matrix(config.token_types, d, 0.1f),
                     source.norm(d)};
  for (Index layer = 0; layer < config.layers; ++layer) {
    parts.blocks.push_back(std::make_unique<PostNormBlock>(
        PostNormWeights{{{config.attention}, source.linear(d, config.attention.qkv_columns()), source.linear(d, d)},
                        source.norm(d),
                        FeedForward{source.linear(d, f), source.linear(f, d), ActivationKind::kGelu},
                        source.norm(d)}));
  }
  return std::make_unique<Transformer>(config, std::move(parts));
}

}  // namespace wordsway::bench
