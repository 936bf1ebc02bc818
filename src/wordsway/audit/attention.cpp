#include "wordsway/audit/attention.h"

#include <charconv>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/npy.h"

namespace wordsway {
namespace {

Index parse_number(const std::string& text, const char* what, const char* names) {
  Index number = 0;
  const char* end = text.data() + text.size();
  if (const auto read = std::from_chars(text.data(), end, number); read.ec != std::errc() || read.ptr != end)
    throw UsageError(fmt::format("the {} is {} or a number; got '{}'", what, names, text));
  return number;
}

MatrixF mean_of(const std::vector<MatrixF>& heads) {
  Matrix sum = heads.front().cast<double>();
  for (size_t h = 1; h < heads.size(); ++h) sum += heads[h].cast<double>();
  return (sum / static_cast<double>(heads.size())).cast<float>();
}

Matrix attention_of(const Transformer& transformer, const MatrixF& x, const AttentionOptions& options) {
  if (options.head) return transformer.attention(x, options.layer, *options.head).cast<double>();
  return transformer.mean_attention(x, options.layer);
}

}  // namespace

AttentionResult attention_change(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x,
                                 const AttentionOptions& options) {
  AttentionResult result{attention_of(*transformer, x, options), std::nullopt};
  if (options.token) result.after = attention_of(*transformer, with_move(transformer, x, options), options);
  return result;
}

MatrixF with_move(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x,
                  const AttentionOptions& options) {
  const Vector delta = token_move(transformer, x, options.token.value(), options.direction, options.radius,
                                  Stream(options.seed).derive("move"));
  return with_moved_token(x, *options.token, delta);
}

std::vector<Index> AttentionPart::shape(Index n) const {
  return {range.layers, mean ? 1 : range.heads, n, n};
}

AttentionPart parse_attention(const std::string& layer, const std::string& head, const Transformer& transformer) {
  const ModelConfig& config = transformer.config();
  AttentionPart part{{1, config.layers, 0, config.attention.heads}, head == "mean"};
  if (layer != "all") {
    part.range.first_layer = layer == "last" ? config.layers : parse_number(layer, "layer", "all, last");
    part.range.layers = 1;
  }
  if (head != "all" && head != "mean") {
    part.range.first_head = parse_number(head, "head", "all, mean");
    part.range.heads = 1;
  }
  transformer.check_attention(part.range);
  return part;
}

void for_each_attention_layer(const Transformer& transformer, const MatrixF& x, const AttentionPart& part,
                              const std::function<void(std::span<const float> values)>& visit) {
  std::vector<float> values;
  transformer.for_each_attention(x, part.range, [&](Index layer, const std::vector<MatrixF>& heads) {
    values.clear();
    for (const MatrixF& head : part.mean ? std::vector<MatrixF>{mean_of(heads)} : heads) {
      if (!head.allFinite()) throw DataError(fmt::format("the attention of layer {} is not finite", layer));
      values.insert(values.end(), head.data(), head.data() + head.size());
    }
    visit(values);
  });
}

void write_attention(const std::filesystem::path& path, const Transformer& transformer, const MatrixF& x,
                     const AttentionPart& part) {
  const std::vector<Index> shape = part.shape(x.rows());
  NpyRowWriter<float> writer(path, {shape.begin() + 1, shape.end()}, shape.front());
  for_each_attention_layer(transformer, x, part, [&](std::span<const float> values) { writer.append(values); });
  writer.commit();
}

}  // namespace wordsway
