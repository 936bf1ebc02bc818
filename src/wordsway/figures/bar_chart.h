// Named rows with one or several values each, on one axis: the words of a text and what was measured of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/draw/chart.h"

namespace wordsway {

/// One value for each row. A value that is missing, not finite or negative has no mark.
struct BarSeries {
  std::string name;
  std::vector<std::optional<double>> values;
  std::vector<std::string> notes;  // beside the marks, in their colour: none at all, or one for each value
};

struct BarChart {
  std::string title, value_label;
  std::vector<std::string> labels;  // of the rows, from the top
  std::vector<BarSeries> series;    // the first is drawn as bars, the others as marks of different shapes
};

/// As high as the rows take. With one series there is no legend. Of more than 1000 rows the first are drawn, and the
/// picture says how many are not.
Chart chart_of(const BarChart& chart);

}  // namespace wordsway
