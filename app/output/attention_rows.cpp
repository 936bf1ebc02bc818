#include "output/attention_rows.h"

#include <cmath>

#include <fmt/format.h>

#include "system/streams.h"
#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

std::string to_json(const Matrix& matrix) {
  std::string rows;
  for (Index r = 0; r < matrix.rows(); ++r) {
    const double* row = matrix.row(r).data();
    rows += (r == 0 ? "" : ", ") + value_to_json(std::vector<double>(row, row + matrix.cols()));
  }
  return "[" + rows + "]";
}

std::string as_object(const TextAttention& result, const Record& asked) {
  std::string object = "{\"text\": " + value_to_json(result.text);
  const auto add = [&](const std::string& name) {
    if (const Value* value = asked.find(name)) object += fmt::format(", \"{}\": {}", name, value_to_json(*value));
  };
  for (const char* name : {"layer", "head"}) add(name);
  object += fmt::format(", \"pieces\": {}, \"attention\": {}", value_to_json(result.pieces), to_json(result.before));
  for (const char* name : {"token", "direction"}) add(name);
  if (result.after) object += ", \"attention_after\": " + to_json(*result.after);
  return object + "}";
}

// One row for every pair of tokens.
std::vector<Record> as_rows(const TextAttention& result, Index text) {
  std::vector<Record> rows;
  for (Index j = 0; j < result.before.rows(); ++j)
    for (Index m = 0; m < result.before.cols(); ++m) {
      rows.push_back({{"text", static_cast<std::int64_t>(text)},
                      {"query", static_cast<std::int64_t>(j)},
                      {"query_piece", result.pieces[static_cast<size_t>(j)]},
                      {"key", static_cast<std::int64_t>(m)},
                      {"key_piece", result.pieces[static_cast<size_t>(m)]},
                      {"attention", result.before(j, m)}});
      if (result.after) rows.back().set("attention_after", (*result.after)(j, m));
    }
  return rows;
}

std::string as_square(const std::vector<std::string>& pieces, const Matrix& weights) {
  std::vector<Record> rows;
  for (Index j = 0; j < weights.rows(); ++j) {
    Record row{{"looks at →", pieces[static_cast<size_t>(j)]}};
    for (Index m = 0; m < weights.cols(); ++m)
      row.set(fmt::format("{} {}", m, pieces[static_cast<size_t>(m)]), std::round(weights(j, m) * 1000) / 1000);
    rows.push_back(std::move(row));
  }
  return to_table(rows);
}

}  // namespace

AttentionRows::AttentionRows(std::string format, Record asked) : format_(std::move(format)), asked_(std::move(asked)) {}

void AttentionRows::add(const TextAttention& result) {
  if (format_ == "csv") {
    const std::string lines = to_csv(as_rows(result, texts_));
    print_out(texts_ == 0 ? lines : lines.substr(lines.find('\n') + 1));
  } else if (format_ == "table") {
    print_squares(result);
  } else {
    print_object(as_object(result, asked_));
  }
  ++texts_;
}

void AttentionRows::print_squares(const TextAttention& result) const {
  print_out(fmt::format("{}\n{}\n", result.text, as_square(result.pieces, result.before)));
  if (result.after)
    print_out(fmt::format("token {} moved\n{}\n", asked_.number("token"), as_square(result.pieces, *result.after)));
}

void AttentionRows::print_object(const std::string& object) {
  if (format_ == "jsonl") return print_out(object + "\n");
  if (texts_ == 0) {
    first_ = object;
    return;
  }
  print_out((first_ ? "[" + *first_ : "") + ",\n" + object);
  first_.reset();
}

void AttentionRows::finish() {
  if (format_ != "json") return;
  print_out(texts_ == 0 ? "[]\n" : texts_ == 1 ? *first_ + "\n" : "]\n");
}

}  // namespace wordsway::app
