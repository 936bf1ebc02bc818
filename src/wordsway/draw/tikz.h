// Charts as pictures that LaTeX sets itself: pgfplots, in the fonts and the size of a paper.
#pragma once

#include <string>

#include "wordsway/draw/chart.h"

namespace wordsway {

/// A tikzpicture, to be taken into a document by \input; a comment at its top says which packages it needs.
std::string draw_tikz(const Chart& chart, bool with_title = true);

/// Any text as LaTeX shows it: special characters escaped, Greek and mathematical ones as such, exponents raised.
std::string tex_text(const Text& text);

}  // namespace wordsway
