// Charts as pictures that LaTeX sets itself: pgfplots, in the fonts and the size of a paper.
#pragma once

#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway {

/// True for files that end in .tex.
bool is_tikz(const Canvas& canvas);

/// A tikzpicture, to be taken into a document by \input; a comment at its top says which packages it needs. Throws
/// FileError when the file cannot be written. What no axis can show is left out, as in write_chart.
void write_tikz(const LineChart& chart, const Canvas& canvas);
void write_tikz(const BarChart& chart, const Canvas& canvas);
/// canvas.width is that of one panel.
void write_tikz(const HeatMap& map, const Canvas& canvas);

/// Any text as LaTeX shows it: special characters escaped, Greek and mathematical ones as such.
std::string tex_text(std::string_view text);

}  // namespace wordsway
