// Where the names of curves stand, so that none is cut: below the chart, in as many columns as there is room for.
// Beside it they would be out of sight on a narrow screen.
//
// gnuplot does not know the font with which an SVG is shown, and guesses. Here widths are those of a wide font (DejaVu
// Sans), so that there is room in any.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wordsway/figures/gnuplot.h"

namespace wordsway {

/// Pixels that one line of text takes at most, in the usual fonts at the size that charts have.
double text_width(std::string_view text);

/// The text, cut with an ellipsis where it is wider than this many pixels; and the same quoted for gnuplot.
std::string fitted(std::string_view text, double pixels);
std::string gnuplot_fitted(std::string_view text, double pixels);

struct Legend {
  std::string settings;             // margins and key, as gnuplot commands
  std::vector<std::string> titles;  // quoted, and cut where even a line of their own is too short
  Canvas canvas;                    // higher than before by the legend
  double widest_title = 0;          // pixels that the title of the chart may take
};

/// Makes room for these labels.
Legend lay_out_legend(const std::vector<std::string>& labels, const Canvas& canvas);

/// Pixels that a column with these labels takes, with their marks and a margin.
double legend_width(const std::vector<std::string>& labels);

}  // namespace wordsway
