// Matrices as colours, one panel each, with labels on rows and columns: attention.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/figures/gnuplot.h"

namespace wordsway {

struct HeatPanel {
  std::string title;
  std::vector<std::string> row_labels, column_labels;  // may be empty: too many to read
  Matrix values;
};

struct HeatMap {
  std::string title;
  std::string row_label, column_label;  // of the axes
  std::vector<HeatPanel> panels;        // side by side, one colour scale from 0 to the largest value
};

/// Draws the panels; see run_gnuplot for what it throws. canvas.width is that of one panel. Cells that are no numbers
/// stay empty, and so do panels without cells. Throws UsageError on more than 100 panels.
void write_heat_map(const HeatMap& map, Canvas canvas);

}  // namespace wordsway
