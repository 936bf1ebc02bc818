#include "wordsway/figures/figure_registry.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace wordsway {

void register_all_figures(FigureRegistry& registry);  // written by the build

const FigureRegistry& figure_registry() {
  static const FigureRegistry registry = [] {
    FigureRegistry figures("figure");
    register_all_figures(figures);
    return figures;
  }();
  return registry;
}

Profile parse_profile(const std::string& name) {
  if (name == "quick") return Profile::kQuick;
  if (name == "default") return Profile::kDefault;
  if (name == "full") return Profile::kFull;
  throw UsageError("unknown profile '" + name + "'; there are: quick, default, full");
}

namespace {

std::string label_of(const Record& row, const std::vector<std::string>& by) {
  std::string label;
  for (const std::string& field : by) {
    if (row.missing(field)) continue;
    if (!label.empty()) label += ", ";
    const bool text = std::holds_alternative<std::string>(*row.find(field));
    label += text ? row.text(field) : fmt::format("{} = {:g}", field, row.number(field));
  }
  return label;
}

Series summarise(const std::string& label, const std::map<double, std::vector<double>>& trials) {
  Series series;
  series.label = label;
  for (const auto& [n, values] : trials) {
    const double count = static_cast<double>(values.size());
    double mean = 0, squares = 0;
    for (const double value : values) mean += value / count;
    for (const double value : values) squares += (value - mean) * (value - mean);
    series.x.push_back(n);
    series.y.push_back(mean);
    series.deviation.push_back(values.size() > 1 ? std::sqrt(squares / (count - 1)) : 0);
  }
  return series;
}

}  // namespace

std::vector<Series> curves_against_n(const std::vector<Record>& rows, const std::vector<std::string>& by) {
  std::vector<std::string> labels;
  std::map<std::string, std::map<double, std::vector<double>>> curves;
  for (const Record& row : rows) {
    if (row.missing("sensitivity")) continue;
    const std::string label = label_of(row, by);
    if (!curves.contains(label)) labels.push_back(label);
    curves[label][row.number("n")].push_back(row.number("sensitivity"));
  }
  std::vector<Series> result;
  for (const std::string& label : labels) result.push_back(summarise(label, curves[label]));
  return result;
}

}  // namespace wordsway
