#include "output/token_rows.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "system/terminal.h"
#include "wordsway/io/row_text.h"

namespace wordsway::app {
namespace {

constexpr std::array<std::string_view, 7> kColumns = {"text", "token", "id", "piece", "word", "begin", "end"};

// Digits without a string of their own.
class Digits {
 public:
  explicit Digits(std::int64_t value) : format_(value) {}
  std::string_view text() const { return {format_.data(), format_.size()}; }

 private:
  fmt::format_int format_;
};

// Calls cell(column, text) for the seven cells of every token, in order; a piece that is in no word has the cell
// `none`.
template <typename Cell>
void for_cells(std::span<const Encoding> encodings, std::string_view none, const Cell& cell) {
  for (size_t t = 0; t < encodings.size(); ++t) {
    const Encoding& encoding = encodings[t];
    const Digits text(static_cast<std::int64_t>(t));
    for (size_t k = 0; k < encoding.ids.size(); ++k) {
      cell(0, text.text());
      cell(1, Digits(static_cast<std::int64_t>(k)).text());
      cell(2, Digits(encoding.ids[k]).text());
      cell(3, std::string_view(encoding.pieces[k]));
      cell(4, encoding.words[k] ? Digits(*encoding.words[k]).text() : none);
      cell(5, Digits(encoding.offsets[k][0]).text());
      cell(6, Digits(encoding.offsets[k][1]).text());
    }
  }
}

}  // namespace

std::string tokens_as_csv(std::span<const Encoding> encodings) {
  std::string result = fmt::format("{}\n", fmt::join(kColumns, ","));
  for_cells(encodings, "", [&](size_t column, std::string_view cell) {
    if (column == 3) {
      result += csv_quoted(std::string(cell));
    } else {
      result += cell;
    }
    result += column + 1 == kColumns.size() ? '\n' : ',';
  });
  return result;
}

std::string tokens_as_table(std::span<const Encoding> encodings) {
  std::array<size_t, kColumns.size()> width;
  std::transform(kColumns.begin(), kColumns.end(), width.begin(), [](std::string_view name) { return name.size(); });
  for_cells(encodings, "-",
            [&](size_t column, std::string_view cell) { width[column] = std::max(width[column], width_of(cell)); });
  std::string result;
  const auto put = [&](size_t column, std::string_view cell) {
    const std::string_view shown = cell.empty() ? "-" : cell;
    const bool to_the_left = column == 3;
    if (!to_the_left) result.append(width[column] - width_of(shown), ' ');
    result += shown;
    if (to_the_left) result.append(width[column] - width_of(shown), ' ');
    result += column + 1 == kColumns.size() ? "\n" : "  ";
  };
  for (size_t column = 0; column < kColumns.size(); ++column) put(column, kColumns[column]);
  for_cells(encodings, "-", put);
  return result;
}

}  // namespace wordsway::app
