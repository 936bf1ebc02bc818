#include "wordsway/draw/text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/draw/markup.h"

namespace wordsway {
namespace {

constexpr std::string_view kMinus = "\u2212";

// Advance widths of DejaVu Sans from space to ~, in thousandths of the font size.
constexpr std::array<int, 95> kWidths = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

struct Range {
  char32_t first, last;
};
constexpr Range kInvisible[] = {{0x300, 0x36F},   {0x200B, 0x200F}, {0x202A, 0x202E},  {0x2060, 0x206F},
                                {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xE0000, 0xE01EF}};
constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0xD7FF}, {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
                           {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F000, 0x1FAFF}, {0x20000, 0x3FFFD}};

template <size_t N>
bool is_among(char32_t character, const Range (&ranges)[N]) {
  return std::ranges::any_of(ranges, [&](const Range& r) { return character >= r.first && character <= r.last; });
}

// In units of the font size.
double advance_of(char32_t character) {
  constexpr char32_t kFirst = U' ', kLast = U'~';
  if (character >= kFirst && character <= kLast) return kWidths[character - kFirst] / 1000.0;
  if (character == U'\n' || character == U'\t') return kWidths[0] / 1000.0;
  if (is_among(character, kInvisible)) return 0;
  return is_among(character, kWide) ? 1.05 : 0.85;
}

double size_of(const Text::Run& run) {
  return run.raised ? kSmallFontSize : kFontSize;
}

}  // namespace

Text::Text(std::string text) {
  if (!text.empty()) runs_.push_back({std::move(text)});
}

Text& Text::operator+=(const Text& more) {
  for (const Run& run : more.runs_) {
    if (!runs_.empty() && runs_.back().raised == run.raised)
      runs_.back().text += run.text;
    else
      runs_.push_back(run);
  }
  return *this;
}

namespace {

std::string superscripts(const std::string& text) {
  constexpr std::u32string_view kPlain = U"0123456789.\u2212", kRaised = U"⁰¹²³⁴⁵⁶⁷⁸⁹·⁻";
  std::string result;
  for (const char32_t character : unicode::decode(text)) {
    const size_t at = kPlain.find(character);
    if (at == std::u32string_view::npos) return "^" + text;
    unicode::append_utf8(result, kRaised[at]);
  }
  return result;
}

}  // namespace

std::string Text::plain() const {
  std::string result;
  for (const Run& run : runs_) result += run.raised ? superscripts(run.text) : run.text;
  return result;
}

Text power(std::string base, std::string exponent) {
  Text result(std::move(base));
  result.runs_.push_back({std::move(exponent), true});
  return result;
}

std::string with_minus_signs(std::string text) {
  for (size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at)) text.replace(at, 1, kMinus);
  return text;
}

Text number_text(double value) {
  const std::string digits = fmt::format("{:g}", value);
  const size_t e = digits.find('e');
  if (e == std::string::npos) return with_minus_signs(digits);
  const std::string factor = digits.substr(0, e), exponent = fmt::format("{}", std::stoi(digits.substr(e + 1)));
  const std::string base = factor == "1" ? "10" : factor == "-1" ? "-10" : factor + "×10";
  return power(with_minus_signs(base), with_minus_signs(exponent));
}

double text_width(const Text& text) {
  double width = 0;
  for (const Text::Run& run : text.runs())
    for (const char32_t character : displayable(run.text)) width += advance_of(character) * size_of(run);
  return width;
}

Text fitted(const Text& text, double pixels) {
  const bool fits = text_width(text) <= pixels;
  Text result;
  double width = fits ? 0 : kFontSize;  // room for the ellipsis
  for (const Text::Run& run : text.runs()) {
    std::string kept;
    bool is_full = false;
    for (const char32_t character : displayable(run.text)) {
      width += advance_of(character) * size_of(run);
      is_full = !fits && width > pixels;
      if (is_full) break;
      unicode::append_utf8(kept, character == U'\n' || character == U'\t' ? U' ' : character);
    }
    if (!kept.empty()) result += run.raised ? power("", kept) : Text(kept);
    if (is_full) break;
  }
  return fits ? result : result + Text("…");
}

}  // namespace wordsway
