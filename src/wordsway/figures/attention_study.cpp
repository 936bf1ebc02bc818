#include "wordsway/figures/attention_study.h"

#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stopwatch.h"

namespace wordsway {
namespace {

std::vector<double> flattened(const Matrix& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};  // row by row: Matrix is row-major
}

template <typename T>
T held(const Record& row, const std::string& field) {
  const Value* value = row.find(field);
  return value != nullptr && std::holds_alternative<T>(*value) ? std::get<T>(*value) : T();
}

}  // namespace

Record AttentionStudy::config() const {
  Record config{
      {"model", config_.transformer->name()},
      {"texts", config_.texts},
      {"layer", static_cast<std::int64_t>(config_.options.layer)},
      {"head", config_.options.head ? Value(static_cast<std::int64_t>(*config_.options.head)) : Value("mean")},
      {"token", config_.options.token ? Value(static_cast<std::int64_t>(*config_.options.token)) : Value()},
      {"direction", config_.options.token ? Value(to_string(config_.options.direction)) : Value()},
      {"seed", static_cast<std::int64_t>(config_.options.seed)}};
  // Only if it differs from √d, which journals have always implied.
  const Radius radius = config_.options.radius;
  if (radius.value != 1) config.set("radius", radius.value);
  if (radius.unit != RadiusUnit::kSqrtD) config.set("radius_unit", to_string(radius.unit));
  return config;
}

StudyContent AttentionStudy::content() const {
  Record content = config_.transformer->content();
  content.merge(config_.tokenizer->content());
  content.set("method of the moves", std::int64_t{kMoveMethod});
  return {content, {{"model"}}};
}

Record AttentionStudy::key(Index task) const {
  Record key{{"text", config_.texts[static_cast<size_t>(task)]}};
  key.merge(device_fields(*config_.transformer));
  return key;
}

// One forward pass of the text through the first layers.
double AttentionStudy::memory_bytes(Index task) const {
  const double n = static_cast<double>(config_.texts[static_cast<size_t>(task)].size());
  return 4.0 * static_cast<double>(config_.transformer->parameters()) + 100 * n * n;
}

std::vector<Record> AttentionStudy::run(Index task) const {
  const Stopwatch watch;
  const Encoding encoding = config_.tokenizer->encode(config_.texts[static_cast<size_t>(task)]);
  const MatrixF x = config_.transformer->embed(encoding.ids);
  Record row = key(task);
  row.set("pieces", encoding.pieces);
  std::vector<std::int64_t> words;
  for (const auto& word : encoding.words) words.push_back(word.value_or(-1));
  row.set("words", words);
  const AttentionResult found = attention_change(config_.transformer, x, config_.options);
  row.set("attention", flattened(found.before));
  if (found.after) {
    row.set("token", std::int64_t{*config_.options.token});
    row.set("attention_after", flattened(*found.after));
  }
  row.set("seconds", watch.seconds());
  return {row};
}

Matrix attention_matrix(const Record& row, const std::string& field) {
  const auto numbers = held<std::vector<double>>(row, field);
  const Index n = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(numbers.size()))));
  if (n * n != static_cast<Index>(numbers.size()) || static_cast<size_t>(n) != texts_of(row, "pieces").size())
    throw DataError(fmt::format("a row's {} has {} numbers for {} pieces, not one for every two of them", field,
                                numbers.size(), texts_of(row, "pieces").size()));
  return Eigen::Map<const Matrix>(numbers.data(), n, n);
}

std::vector<std::string> texts_of(const Record& row, const std::string& field) {
  return held<std::vector<std::string>>(row, field);
}

std::vector<std::int64_t> integers_of(const Record& row, const std::string& field) {
  return held<std::vector<std::int64_t>>(row, field);
}

}  // namespace wordsway
