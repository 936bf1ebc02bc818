#include "wordsway/figures/generalization_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wordsway/draw/colours.h"
#include "wordsway/figures/row_selection.h"

namespace wordsway {
namespace {

constexpr int kPanelWidth = 360, kPanelHeight = 300, kLegendWidth = 170;
constexpr double kSmallestError = 1e-4;  // smaller errors are drawn here
constexpr double kLargestGamma = 4;      // larger γ are drawn here

struct Objective {
  const char* name;
  Shape shape;
};
constexpr std::initializer_list<const char*> kTrainings = {"fine-tune", "retrain"};  // from top to bottom
constexpr std::array<Objective, 2> kObjectives = {{{"align", Shape::kRing}, {"error", Shape::kCross}}};

struct Point {
  std::string map, training, objective;
  double n, colour, gamma, error;
};

// A failed simulation has null or a text in place of numbers.
bool holds_shown_number(const Record& row, const std::string& field) {
  return holds_number(row, field) && is_shown(row.number(field));
}

bool holds_one_of(const Record& row, const std::string& field, std::initializer_list<const char*> names) {
  const Value* value = row.find(field);
  if (value == nullptr || !std::holds_alternative<std::string>(*value)) return false;
  return names.size() == 0 || std::find(names.begin(), names.end(), row.text(field)) != names.end();
}

std::vector<Point> drawable_points(const std::vector<Record>& rows, const std::string& colour_field) {
  std::vector<Point> points;
  for (const Record& row : rows) {
    const auto number = [&](const std::string& field) { return holds_shown_number(row, field); };
    if (!number("error") || !number("gamma") || !number("n") || !number(colour_field)) continue;
    if (!holds_one_of(row, "map", {}) || !holds_one_of(row, "training", kTrainings)) continue;
    if (!holds_one_of(row, "objective", {kObjectives[0].name, kObjectives[1].name})) continue;
    points.push_back({row.text("map"), row.text("training"), row.text("objective"), row.number("n"),
                      row.number(colour_field), row.number("gamma"), row.number("error")});
  }
  return points;
}

struct Layout {
  std::vector<std::pair<std::string, double>> columns;  // map, n; in order of appearance
  std::vector<std::string> trainings;                   // from top to bottom
  std::vector<double> colours;                          // N or penalties, ascending
  std::vector<Objective> objectives;
  double largest_gamma = 0, largest_error = 0;
};

Layout lay_out(const std::vector<Point>& points) {
  Layout layout;
  std::set<double> colours;
  for (const Point& point : points) {
    const std::pair column(point.map, point.n);
    if (std::find(layout.columns.begin(), layout.columns.end(), column) == layout.columns.end())
      layout.columns.push_back(column);
    colours.insert(point.colour);
    layout.largest_gamma = std::clamp(point.gamma, layout.largest_gamma, kLargestGamma);
    layout.largest_error = std::max(layout.largest_error, point.error);
  }
  for (const char* training : kTrainings)
    if (std::any_of(points.begin(), points.end(), [&](const Point& p) { return p.training == training; }))
      layout.trainings.push_back(training);
  for (const Objective& objective : kObjectives)
    if (std::any_of(points.begin(), points.end(), [&](const Point& p) { return p.objective == objective.name; }))
      layout.objectives.push_back(objective);
  layout.colours.assign(colours.begin(), colours.end());
  return layout;
}

constexpr const char* kGuideGrey = "#444444";

Text colour_label(const std::string& colour_field, double value) {
  return (colour_field == "penalty" ? "penalty " : "N = ") + number_text(value);
}

std::vector<CurvePoint> points_of(const std::vector<Point>& points, const Layout& layout, const std::string& training,
                                  size_t column, double colour, const char* objective) {
  std::vector<CurvePoint> result;
  for (const Point& point : points)
    if (point.training == training && std::pair(point.map, point.n) == layout.columns[column] &&
        point.colour == colour && point.objective == objective) {
      const double error = std::max(point.error, kSmallestError);
      result.push_back({std::min(point.gamma, kLargestGamma), error, error, error});
    }
  return result;
}

// max(0, 2 − γ)², down to the smallest error.
Curve guide() {
  constexpr int kSteps = 200;
  const double end = 2 - std::sqrt(kSmallestError);
  Curve curve{.colour = kGuideGrey, .line = Line::kDashed};
  for (int k = 0; k <= kSteps; ++k) {
    const double gamma = end * k / kSteps, error = (2 - gamma) * (2 - gamma);
    curve.points.push_back({gamma, error, error, error});
  }
  return curve;
}

Text power_of_ten(int exponent) {
  return power("10", with_minus_signs(fmt::format("{}", exponent)));
}

Axis error_axis(const Layout& layout) {
  Axis axis{.label = "error",
            .logarithmic = true,
            .low = kSmallestError / 2,
            .high = 2 * std::max(4.0, layout.largest_error)};
  const int last = static_cast<int>(std::floor(std::log10(axis.high)));
  for (int k = -4; k <= last; k += 1 + (last + 4) / 12) axis.ticks.push_back({std::pow(10, k), power_of_ten(k)});
  return axis;
}

Panel panel(const std::vector<Point>& points, const Layout& layout, const std::string& training, size_t column,
            const std::string& colour_field) {
  const auto& [map, n] = layout.columns[column];
  Panel result{.title = fmt::format("{}, n = {:g}, {}", map, n, training == "retrain" ? "re-trained" : "fine-tuned"),
               .x = {.label = "γ", .high = std::max(2.2, 1.05 * layout.largest_gamma)},
               .y = error_axis(layout)};
  result.curves.push_back(guide());
  for (size_t s = 0; s < layout.colours.size(); ++s)
    for (const auto& [objective, shape] : layout.objectives)
      result.curves.push_back({.label = colour_label(colour_field, layout.colours[s]),
                               .colour = palette_colour(s, layout.colours.size()),
                               .line = Line::kNone,
                               .shape = shape,
                               .points = points_of(points, layout, training, column, layout.colours[s], objective)});
  return result;
}

std::vector<LegendEntry> legend(const Layout& layout, const std::string& colour_field) {
  std::vector<LegendEntry> entries = {{"max(0, 2 − γ)²", kGuideGrey, Line::kDashed, Shape::kNone}};
  for (const Objective& objective : layout.objectives)
    entries.push_back({fmt::format("objective {}", objective.name), kGuideGrey, Line::kNone, objective.shape});
  for (size_t s = 0; s < layout.colours.size(); ++s)
    entries.push_back({colour_label(colour_field, layout.colours[s]), palette_colour(s, layout.colours.size()),
                       Line::kNone, Shape::kDisc});
  return entries;
}

}  // namespace

Chart generalization_chart(const std::vector<Record>& rows, const std::string& colour_field) {
  const std::vector<Point> points = drawable_points(rows, colour_field);
  Chart chart{.title = "error against γ", .legend_place = LegendPlace::kBeside};
  if (points.empty()) return chart;
  const Layout layout = lay_out(points);
  chart.title = {};  // every panel has its own
  chart.columns = layout.columns.size();
  chart.legend = legend(layout, colour_field);
  chart.width = kPanelWidth * static_cast<int>(chart.columns) + kLegendWidth;
  chart.height = kPanelHeight * static_cast<int>(layout.trainings.size());
  for (const std::string& training : layout.trainings)
    for (size_t column = 0; column < chart.columns; ++column)
      chart.panels.push_back(panel(points, layout, training, column, colour_field));
  return chart;
}

}  // namespace wordsway
