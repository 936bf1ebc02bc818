#include "wordsway/core/text_layout.h"

#include <algorithm>

namespace wordsway {
namespace {

// How many bytes the first `characters` of a text are.
size_t bytes_of(std::string_view text, size_t characters) {
  size_t bytes = 0;
  for (; bytes < text.size(); ++bytes)
    if ((text[bytes] & 0xc0) != 0x80 && characters-- == 0) break;
  return bytes;
}

// Adds at least one line.
void wrap_line(std::string_view text, size_t width, std::vector<std::string>& lines) {
  lines.emplace_back();
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    std::string_view word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!lines.back().empty() && width_of(lines.back()) + 1 + width_of(word) > width) lines.emplace_back();
    for (; width_of(word) > width; lines.emplace_back()) {
      const size_t bytes = bytes_of(word, width);
      lines.back() += word.substr(0, bytes);
      word.remove_prefix(bytes);
    }
    lines.back() += (lines.back().empty() ? "" : " ") + std::string(word);
  }
}

}  // namespace

size_t width_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    wrap_line(text.substr(begin, end - begin), std::max<size_t>(width, 1), lines);
    begin = end + 1;
  }
  return lines;
}

std::string side_by_side(std::string_view left, std::string_view right, size_t width) {
  constexpr size_t kGap = 3;
  const size_t column = width > kGap + 1 ? (width - kGap) / 2 : 1;
  const std::vector<std::string> a = wrapped(left, column), b = wrapped(right, column);
  std::string result;
  for (size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
    std::string line = k < a.size() ? a[k] : "";
    if (k < b.size() && !b[k].empty()) line += std::string(column - width_of(line) + kGap, ' ') + b[k];
    result += line + "\n";
  }
  return result;
}

}  // namespace wordsway
