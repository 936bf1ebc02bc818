#include "wordsway/figures/gnuplot_text.h"

#include <fmt/format.h>

#include "wordsway/figures/page/html.h"
#include "wordsway/text/utf8.h"

namespace wordsway {
namespace {

// What gnuplot makes of a label that holds a % ends after 49 bytes, in the middle of a character if need be.
constexpr size_t kMostBytesWithPercent = 48;
constexpr char32_t kEllipsis = 0x2026;

std::string encoded(std::u32string_view characters) {
  std::string bytes;
  for (const char32_t character : characters) unicode::append_utf8(bytes, character);
  return bytes;
}

size_t width_of(char32_t character) {
  constexpr char32_t kFirstIdeographs = 0x2E80;
  return character >= kFirstIdeographs ? 2 : 1;
}

// On one line, and not longer than it can be read.
std::u32string one_line(std::string_view text, size_t widest) {
  std::u32string line;
  size_t width = 0, kept = 0;  // how many characters leave room for an ellipsis
  for (const char32_t character : displayable(text)) {
    width += width_of(character);
    if (width > widest) return line.substr(0, kept) + kEllipsis;
    line += character == U'\n' || character == U'\t' ? U' ' : character;
    if (width < widest) kept = line.size();
  }
  return line;
}

// Quotes, backslashes, backquotes, @ and all that is not ASCII as octal escapes: none of them ends the string, runs a
// command or expands a macro. Digits too, which gnuplot would take for a part of the escape before them.
std::string in_quotes(std::string_view bytes) {
  std::string result = "\"";
  for (const char c : bytes) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
    result += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return result + "\"";
}

}  // namespace

std::string gnuplot_quoted(std::string_view text, size_t widest) {
  return in_quotes(encoded(one_line(text, widest)));
}

std::string gnuplot_tic(std::string_view label, double position) {
  std::u32string characters = one_line(label, kWidestLabel);
  if (characters.find(U'%') != std::u32string::npos)
    while (encoded(characters).size() > kMostBytesWithPercent) {
      characters.resize(characters.size() - (characters.back() == kEllipsis ? 2 : 1));
      characters.push_back(kEllipsis);
    }
  std::string format;
  for (const char c : encoded(characters)) format += c == '%' ? "%%" : std::string(1, c);
  return fmt::format("{} {}", in_quotes(format), position);
}

}  // namespace wordsway
