#include "output/journal_charts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "output/rows.h"
#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/generalization_chart.h"
#include "wordsway/figures/row_selection.h"

namespace wordsway::app {
namespace {

namespace fs = std::filesystem;

using Rows = std::vector<Record>;

constexpr int kWidth = 560, kHeight = 400;
constexpr size_t kMostCurves = 8, kMostBars = 24;  // more cannot be told apart

Rows with_field(const Rows& rows, const char* field) {
  Rows result;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
               [&](const Record& r) { return !r.missing(field); });
  return result;
}

// What tells points apart: the map, and what is not the same for all.
std::vector<std::string> distinguishing(const Rows& rows, const std::vector<const char*>& candidates) {
  std::vector<std::string> fields = {"map"};
  for (const char* field : candidates) {
    const auto differs = [&](const Record& row) {
      return !row.missing(field) && !rows.front().missing(field) && *row.find(field) != *rows.front().find(field);
    };
    if (std::any_of(rows.begin(), rows.end(), differs)) fields.emplace_back(field);
  }
  return fields;
}

std::string label_of(const Record& row, const std::vector<std::string>& fields) {
  std::string label;
  for (const std::string& field : fields) {
    if (row.missing(field)) continue;
    label += fmt::format("{}{}{}", label.empty() ? "" : ", ", field == "map" ? "" : field + " = ",
                         table_cell(*row.find(field)));
  }
  return label;
}

ReportPanel against_length(const Rows& rows, const fs::path& path) {
  LineChart chart;
  chart.title = "Word sensitivity against context length";
  chart.x_label = "context length n";
  chart.y_label = "word sensitivity S";
  chart.series = curves_against_n(rows, distinguishing(rows, {"d", "depth", "activation", "beta"}));
  chart.reference_slopes = {-0.5};
  write_chart(chart, {path, kWidth, kHeight});
  const auto sensitivities = numbers(rows, "sensitivity");
  const bool guided = std::any_of(sensitivities.begin(), sensitivities.end(), [](double value) { return value > 0; });
  return {chart.title,
          std::string("Means over trials, bands of one standard deviation") +
              (guided ? "; the dashed line is a decay as 1/√n." : "."),
          path};
}

ReportPanel by_point(const Rows& rows, const fs::path& path) {
  const auto fields = distinguishing(rows, {"d", "depth", "width", "activation", "beta"});
  std::vector<std::string> labels;
  std::map<std::string, std::pair<double, double>> sums;
  for (const Record& row : rows) {
    const std::string label = label_of(row, fields);
    if (!sums.contains(label)) labels.push_back(label);
    sums[label].first += row.number("sensitivity");
    sums[label].second += 1;
  }
  if (labels.size() < 2 || labels.size() > kMostBars) return {};
  BarChart chart{"Word sensitivity", "word sensitivity S", {}};
  for (const std::string& label : labels) chart.bars.emplace_back(label, sums[label].first / sums[label].second);
  write_bar_chart(chart, {path, kWidth, kHeight});
  return {chart.title, "Means over trials.", path};
}

// Rows of --token all: one curve a point, means over its trials.
ReportPanel by_position(const Rows& rows, const fs::path& path) {
  const auto fields = distinguishing(rows, {"n", "d", "depth", "activation", "beta"});
  std::vector<std::string> labels;
  std::map<std::string, std::vector<const std::vector<double>*>> curves;
  for (const Record& row : rows) {
    const auto* values = std::get_if<std::vector<double>>(row.find("token_sensitivities"));
    if (values == nullptr) continue;
    const std::string label = label_of(row, fields);
    if (!curves.contains(label)) labels.push_back(label);
    curves[label].push_back(values);
  }
  if (labels.empty() || labels.size() > kMostCurves) return {};
  LineChart chart;
  chart.title = "Word sensitivity by token position";
  chart.x_label = "token, counted from 0";
  chart.y_label = "word sensitivity of the token";
  chart.log_x = chart.log_y = false;
  for (const std::string& label : labels) {
    Series series{label, {}, {}, {}};
    size_t longest = 0;
    for (const auto* values : curves[label]) longest = std::max(longest, values->size());
    for (size_t t = 0; t < longest; ++t) {
      double sum = 0, squares = 0, count = 0;
      for (const auto* values : curves[label])
        if (t < values->size() && std::isfinite((*values)[t])) {
          ++count;
          sum += (*values)[t];
          squares += (*values)[t] * (*values)[t];
        }
      series.x.push_back(static_cast<double>(t));
      series.y.push_back(sum / count);
      series.deviation.push_back(count > 1 ? std::sqrt(std::max(0.0, (squares - sum * sum / count) / (count - 1))) : 0);
    }
    chart.series.push_back(std::move(series));
  }
  write_chart(chart, {path, kWidth, kHeight});
  return {chart.title, "Means over trials, bands of one standard deviation.", path};
}

}  // namespace

std::vector<ReportPanel> draw_journal(const std::string& name, const Rows& rows, const fs::path& folder) {
  std::vector<ReportPanel> panels;
  const auto keep = [&](ReportPanel panel) {
    if (!panel.svg.empty()) panels.push_back(std::move(panel));
  };
  const Rows measured = with_field(rows, "sensitivity"), learnt = with_field(rows, "gamma"),
             all_tokens = with_field(measured, "token_sensitivities");
  std::set<double> lengths;
  for (const Record& row : measured) lengths.insert(row.number("n"));
  const fs::path path = folder / (name + ".svg");
  if (lengths.size() > 1) keep(against_length(measured, path));
  if (lengths.size() == 1) keep(by_point(measured, path));
  if (!all_tokens.empty()) keep(by_position(all_tokens, folder / (name + ".tokens.svg")));
  if (!learnt.empty()) {
    write_generalization_chart(learnt, path);
    keep({"Error against γ",
          "Circles: the move was chosen to turn the features against the new sample; crosses: to bring the error down. "
          "Features that barely notice the word cannot get below the dashed curve max(0, 2 − γ)².",
          path});
  }
  return panels;
}

}  // namespace wordsway::app
