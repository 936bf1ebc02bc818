#include "wordsway/figures/learning_rows.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/figures/generalization_chart.h"

namespace wordsway {

std::vector<double> unseen(const Rows& rows) {
  std::vector<double> result;
  for (const Record& row : rows)
    if (holds_number(row, "error") && holds_number(row, "gamma"))
      result.push_back(std::sqrt(row.number("error")) + row.number("gamma"));
  return result;
}

Interval least_unseen(const Rows& rows) {
  const auto all = unseen(rows);
  if (all.empty()) return mean_of({});
  const double least = *std::min_element(all.begin(), all.end());
  return {least, least, least};
}

std::vector<FigurePanel> learning_panels(const Rows& rows, const std::string& colour_field) {
  std::vector<FigurePanel> panels;
  for (const std::string& map : distinct_texts(rows, "map")) {
    FigurePanel panel{fmt::format("{}: error against γ", map), {}, {}};
    panel.chart = [some = rows_where(rows, "map", map), colour_field](Bands) {
      return generalization_chart(some, colour_field);
    };
    panels.push_back(std::move(panel));
  }
  return panels;
}

}  // namespace wordsway
