#include "wordsway/figures/legend.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/figures/page/page_parts.h"

namespace wordsway {
namespace {

constexpr double kFontSize = 14;                                   // pixels, of the svg terminal; others are smaller
constexpr double kMarkWidth = 50, kMargin = 12, kLineHeight = 21;  // as gnuplot sets keys in this size
constexpr double kGuessedLetter = 0.62 * kFontSize;
constexpr double kBelowAxis = 70, kLeftOfAxis = 75;  // labels of the axes

// Of the characters from space to ~, in thousandths of the font's size: the advance widths of DejaVu Sans.
constexpr std::array<int, 95> kWidths = {
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

double advance_of(char32_t character) {
  constexpr char32_t kFirst = U' ', kLast = U'~', kFirstIdeographs = 0x2E80;
  constexpr char32_t kFirstUnseen = 0x200B, kLastUnseen = 0x200F;
  if (character >= kFirstUnseen && character <= kLastUnseen) return 0;
  if (character >= kFirst && character <= kLast) return kWidths[character - kFirst] * kFontSize / 1000;
  return (character < kFirstIdeographs ? 0.85 : 1.05) * kFontSize;
}

double widest(const std::vector<std::string>& labels) {
  double width = 0;
  for (const std::string& label : labels) width = std::max(width, text_width(label));
  return width;
}

}  // namespace

double text_width(std::string_view text) {
  double width = 0;
  for (const char32_t character : displayable(text)) width += advance_of(character);
  return width;
}

std::string fitted(std::string_view text, double pixels) {
  std::string beginning;  // as much as leaves room for an ellipsis
  double width = 0;
  for (const char32_t character : displayable(text)) {
    width += advance_of(character);
    if (width + kFontSize <= pixels) unicode::append_utf8(beginning, character);
  }
  return width <= pixels ? std::string(text) : beginning + "…";
}

std::string gnuplot_fitted(std::string_view text, double pixels) {
  return gnuplot_quoted(fitted(text, pixels));
}

Legend lay_out_legend(const std::vector<std::string>& labels, const Canvas& canvas) {
  Legend legend{{}, {}, canvas, canvas.width - kLeftOfAxis - kMargin};
  const double room = canvas.width - 2 * kMargin;
  // gnuplot sets columns apart by its own guess of how wide a letter is.
  size_t most = 0;
  for (const std::string& label : labels) most = std::max(most, displayable(label).size());
  const double column =
      std::max(legend_width(labels), kMarkWidth + kGuessedLetter * static_cast<double>(most) + kMargin);
  const auto columns = std::max<size_t>(1, static_cast<size_t>(room / column));
  const size_t rows = (labels.size() + columns - 1) / columns;
  const double lines = kLineHeight * static_cast<double>(rows) + kMargin;
  legend.canvas.height += static_cast<int>(lines);
  const double height = legend.canvas.height;
  legend.settings = fmt::format(
      "set bmargin at screen {}\nset key at screen {}, screen {} left top Left reverse noenhanced samplen 2 vertical "
      "maxcols {} maxrows {}\n",
      (lines + kBelowAxis) / height, kMargin / canvas.width, lines / height, columns, rows);
  for (const std::string& label : labels) legend.titles.push_back(gnuplot_fitted(label, room - kMarkWidth));
  return legend;
}

double legend_width(const std::vector<std::string>& labels) {
  return kMarkWidth + widest(labels) + kMargin;
}

}  // namespace wordsway
