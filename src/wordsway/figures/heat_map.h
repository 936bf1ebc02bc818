// Matrices as colours, one panel each, with labels on rows and columns: attention.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/draw/chart.h"

namespace wordsway {

struct HeatPanel {
  std::string title;
  std::vector<std::string> row_labels, column_labels;  // may be empty
  Matrix values;
};

struct HeatMap {
  std::string title;
  std::string row_label, column_label;  // of the axes
  std::vector<HeatPanel> panels;        // side by side, one colour scale from 0 to the largest value
};

/// Each panel is `panel_width` wide. Cells that are not numbers stay empty, and so do panels without cells. Throws
/// UsageError on more than 100 panels.
Chart chart_of(const HeatMap& map, int panel_width = 760, int height = 520);

}  // namespace wordsway
