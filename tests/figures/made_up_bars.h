// Bar charts for tests.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wordsway/figures/bar_chart.h"

namespace wordsway::test {

/// A chart of one series.
inline BarChart made_up_bars(const std::vector<std::pair<std::string, double>>& bars, const std::string& title = "Bars",
                             const std::string& value_label = "S") {
  BarChart chart{title, value_label, {}, {{}}};
  for (const auto& [label, value] : bars) {
    chart.labels.push_back(label);
    chart.series[0].values.emplace_back(value);
  }
  return chart;
}

}  // namespace wordsway::test
