#include "wordsway/audit/attention.h"

namespace wordsway {
namespace {

Matrix attention_of(const Transformer& transformer, const MatrixF& x, const AttentionOptions& options) {
  if (options.head) return transformer.attention(x, options.layer, *options.head).cast<double>();
  return transformer.mean_attention(x, options.layer);
}

}  // namespace

AttentionResult attention_change(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x,
                                 const AttentionOptions& options) {
  AttentionResult result{attention_of(*transformer, x, options), std::nullopt};
  if (!options.token) return result;
  const Vector delta = token_move(transformer, x, *options.token, options.direction, options.radius,
                                  Stream(options.seed).derive("move"));
  result.after = attention_of(*transformer, with_moved_token(x, *options.token, delta), options);
  return result;
}

}  // namespace wordsway
