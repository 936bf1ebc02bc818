#include "wordsway/figures/generalization_chart.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "wordsway/figures/legend.h"
#include "wordsway/figures/row_selection.h"

namespace wordsway {
namespace {

constexpr int kPanelWidth = 360, kPanelHeight = 300;
constexpr double kSmallestError = 1e-4;  // what lies below is drawn there
constexpr double kLargestGamma = 4;      // and what lies beyond, there

struct Objective {
  const char* name;
  const char* mark;  // gnuplot's point type: circle, cross
};
constexpr std::initializer_list<const char*> kTrainings = {"fine-tune", "retrain"};  // from top to bottom
constexpr std::array<Objective, 2> kObjectives = {{{"align", "6"}, {"error", "2"}}};

struct Point {
  std::string map, training, objective;
  double n, colour, gamma, error;
};

// A failed simulation has null, or a text, where a good one has numbers.
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

std::string series(const std::vector<Point>& points, const Layout& layout, const std::string& training, size_t column,
                   double colour, const char* objective) {
  std::string block;
  for (const Point& point : points)
    if (point.training == training && std::pair(point.map, point.n) == layout.columns[column] &&
        point.colour == colour && point.objective == objective)
      block += fmt::format("{} {}\n", std::min(point.gamma, kLargestGamma), std::max(point.error, kSmallestError));
  return block;
}

// One panel: its data blocks go to `data`, its plot command is returned.
std::string panel(const std::vector<Point>& points, const Layout& layout, size_t row, size_t column,
                  std::string& data) {
  const std::string& training = layout.trainings[row];
  const auto& [map, n] = layout.columns[column];
  std::string plot = fmt::format(
      "set title {} noenhanced\nplot max(2-x)**2 > {} ? max(2-x)**2 : 1/0 with lines "
      "linewidth 1.5 dashtype 2 linecolor '#444444' notitle",
      gnuplot_quoted(fmt::format("{}, n = {:g}, {}", map, n, training == "retrain" ? "re-trained" : "fine-tuned")),
      kSmallestError);
  for (size_t s = 0; s < layout.colours.size(); ++s)
    for (const auto& [objective, mark] : layout.objectives) {
      const std::string block = series(points, layout, training, column, layout.colours[s], objective);
      if (block.empty()) continue;
      const std::string name = fmt::format("$p{}_{}_{}_{}", row, column, s, objective);
      data += fmt::format("{} << EOD\n{}EOD\n", name, block);
      plot += fmt::format(", {} with points pointtype {} pointsize 0.6 linewidth 1.2 linecolor '{}' notitle", name,
                          mark, palette_colour(s, layout.colours.size()));
    }
  return plot + "\n";
}

std::string axes(const Layout& layout) {
  return fmt::format(
      "max(v) = v > 0 ? v : 0\nset samples 400\nset logscale y\nset xrange [0:{}]\nset yrange [{}:{}]\n"
      "set format y '10^{{%L}}'\nset xlabel 'γ'\nset ylabel 'error'\n"
      "set border 3 linecolor '#444444'\nset tics nomirror textcolor '#222222'\n"
      "set grid linecolor '#dddddd' linetype 1\n",
      std::max(2.2, 1.05 * layout.largest_gamma), kSmallestError / 2, 2 * std::max(4.0, layout.largest_error));
}

constexpr const char* kGuide = "max(0, 2 − γ)²";

std::string objective_label(const Objective& objective) {
  return fmt::format("objective {}", objective.name);
}

std::string colour_label(const std::string& colour_field, double value) {
  return fmt::format("{} {:g}", colour_field == "penalty" ? "penalty" : "N =", value);
}

double key_width(const Layout& layout, const std::string& colour_field) {
  std::vector<std::string> labels = {kGuide};
  for (const Objective& objective : layout.objectives) labels.push_back(objective_label(objective));
  for (const double value : layout.colours) labels.push_back(colour_label(colour_field, value));
  return legend_width(labels);
}

// The key is a panel of its own without margins, a column to the right of the others.
std::string key(const Layout& layout, const std::string& colour_field, double left, double width) {
  std::string script = fmt::format(
      "set origin {0},0\nset size {1},1\nset margins 0,0,0,0\nunset title\nunset logscale y\nset xrange [0:1]\n"
      "set yrange [0:1]\nunset border\nunset tics\nunset grid\nunset xlabel\nunset ylabel\n"
      "set key at screen {0}, screen 0.93 left top Left reverse noenhanced samplen 1.5\n"
      "plot 2 with lines dashtype 2 linewidth 1.5 linecolor '#444444' title '{2}'",
      left, width, kGuide);
  for (const Objective& objective : layout.objectives)
    script += fmt::format(", 2 with points pointtype {} linecolor '#444444' title {}", objective.mark,
                          gnuplot_quoted(objective_label(objective)));
  for (size_t s = 0; s < layout.colours.size(); ++s)
    script +=
        fmt::format(", 2 with points pointtype 7 linecolor '{}' title {}", palette_colour(s, layout.colours.size()),
                    gnuplot_quoted(colour_label(colour_field, layout.colours[s])));
  return script + "\n";
}

}  // namespace

void write_generalization_chart(const std::vector<Record>& rows, const Canvas& given, const std::string& colour_field) {
  const std::vector<Point> points = drawable_points(rows, colour_field);
  if (points.empty()) return draw_nothing(given, "error against γ");
  const Layout layout = lay_out(points);
  const size_t columns = layout.columns.size(), height = layout.trainings.size();
  const int width = static_cast<int>(columns) * kPanelWidth + static_cast<int>(key_width(layout, colour_field));
  const Canvas canvas = given.sized(width, static_cast<int>(height) * kPanelHeight);
  const double share = (canvas.width - width + static_cast<int>(columns) * kPanelWidth) / static_cast<double>(columns) /
                       static_cast<double>(canvas.width),
               tall = 1.0 / static_cast<double>(height);
  std::string data, plots;
  for (size_t row = 0; row < height; ++row)
    for (size_t column = 0; column < columns; ++column)
      plots += fmt::format("set origin {},{}\nset size {},{}\n", static_cast<double>(column) * share,
                           1 - static_cast<double>(row + 1) * tall, share, tall) +
               panel(points, layout, row, column, data);
  run_gnuplot(canvas, axes(layout) + data + "set multiplot\n" + plots +
                          key(layout, colour_field, static_cast<double>(columns) * share,
                              1 - static_cast<double>(columns) * share) +
                          "unset multiplot\n");
}

}  // namespace wordsway
