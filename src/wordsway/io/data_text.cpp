#include "wordsway/io/data_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"

namespace wordsway {
namespace {

constexpr int kMostDepth = 100;

// Where the first bytes begin that are not UTF-8; nothing when all of them are.
std::optional<std::size_t> find_invalid_utf8(std::string_view bytes) {
  if (unicode::is_valid_utf8(bytes)) return std::nullopt;
  std::size_t at = 0;
  while (true) {
    const auto length = static_cast<std::size_t>(unicode::decode_first(bytes.substr(at)).length);
    if (!unicode::is_valid_utf8(bytes.substr(at, length))) return at;
    at += length;
  }
}

std::size_t column_of(std::string_view line, std::size_t byte) {
  return unicode::decode(line.substr(0, byte)).size() + 1;
}

}  // namespace

std::string place_in_text(std::string_view text, std::size_t byte, const std::string& name, long long first_line) {
  const std::string_view before = text.substr(0, byte);
  const std::size_t newline = before.rfind('\n');
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  return fmt::format("{}:{}:{}", name, first_line + std::count(before.begin(), before.end(), '\n'),
                     column_of(text.substr(begin), byte - begin));
}

void check_is_utf8(std::string_view line, const std::string& where) {
  if (const auto at = find_invalid_utf8(line))
    throw DataError(fmt::format("{}:{}: not UTF-8", where, column_of(line, *at)));
}

JsonView parse_data_json(std::string_view bytes, const std::string& name, std::optional<long long> line) {
  const auto place = [&](std::size_t byte) { return place_in_text(bytes, byte, name, line.value_or(1)); };
  if (const auto at = find_invalid_utf8(bytes)) throw DataError(place(*at) + ": not UTF-8");
  const auto fault = find_json_fault(bytes, kMostDepth);
  if (fault && !fault->is_syntax) throw DataError(fmt::format("{}: {}", place(fault->byte), fault->what));
  return JsonView::parse(bytes, line ? fmt::format("{}:{}", name, *line) : name);
}

}  // namespace wordsway
