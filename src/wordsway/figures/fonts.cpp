#include "wordsway/figures/fonts.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/figures/child_process.h"
#include "wordsway/figures/page/page_parts.h"

namespace wordsway {
namespace {

bool is_drawn_as_nothing(char32_t c) {
  const auto between = [&](char32_t first, char32_t last) { return c >= first && c <= last; };
  return between(0x200B, 0x200F) || between(0x2028, 0x202F) || between(0x2060, 0x206F) || between(0xFE00, 0xFE0F) ||
         between(0xE0000, 0xE01EF) || c == 0xFEFF || c == 0xAD;
}

// Characters that a font of the usual kind might lack.
std::u32string unusual_characters(std::string_view text) {
  constexpr char32_t kLastAscii = 0x7E;
  std::u32string characters;
  for (const char32_t character : displayable(text))
    if (character > kLastAscii && !is_drawn_as_nothing(character) && characters.find(character) == std::u32string::npos)
      characters += character;
  return characters;
}

// Ranges of all fonts, one font per line; empty when nothing is known.
std::string ranges_of_fonts() {
  try {
    const ChildResult result = run_child({"fc-list", "--format", "%{charset}\n"}, "");
    return result.start_error == 0 && result.exit_code == 0 ? result.out : "";
  } catch (const FileError&) {
    return "";  // a remark about fonts is not worth an error
  }
}

}  // namespace

bool covers(std::string_view ranges, char32_t character) {
  const char *at = ranges.data(), *const end = at + ranges.size();
  while (at < end) {
    std::uint32_t first = 0, last = 0;
    const auto begin = std::from_chars(at, end, first, 16);
    if (begin.ec != std::errc()) {
      ++at;  // a space or the end of a line
      continue;
    }
    last = first;
    at = begin.ptr;
    if (at < end && *at == '-') at = std::from_chars(at + 1, end, last, 16).ptr;
    if (character >= first && character <= last) return true;
  }
  return false;
}

std::u32string characters_without_font(std::string_view text) {
  std::u32string characters = unusual_characters(text);
  if (characters.empty()) return characters;
  const std::string ranges = ranges_of_fonts();
  if (ranges.empty()) return {};
  std::erase_if(characters, [&](char32_t character) { return covers(ranges, character); });
  return characters;
}

std::string remark_on_fonts(const std::filesystem::path& chart, std::string_view text) {
  if (chart.extension() == ".svg") return "";
  const std::u32string missing = characters_without_font(text);
  if (missing.empty()) return "";
  constexpr size_t kMostShown = 8;
  std::string shown;
  for (const char32_t character : missing.substr(0, kMostShown)) unicode::append_utf8(shown, character);
  return fmt::format(
      "no font of this machine has some characters of the chart ({}{}), which it shows as '?'; an .svg shows them with "
      "the fonts of its reader (Debian: apt install fonts-wqy-microhei fonts-lohit-deva fonts-symbola)",
      shown, missing.size() > kMostShown ? "…" : "");
}

}  // namespace wordsway
