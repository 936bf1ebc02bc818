// Charts of every kind for tests.
#pragma once

#include <vector>

#include "wordsway/draw/chart.h"

namespace wordsway::test {

inline Chart lines_chart(const Text& label = "a curve") {
  Panel panel{.x = {.label = "length", .logarithmic = true, .low = 9, .high = 110},
              .y = {.label = "S", .logarithmic = true, .low = 0.05, .high = 3}};
  Curve curve{.label = label, .colour = "#0072b2", .shape = Shape::kDisc, .band_opacity = 0.2};
  curve.points = {{10, 2, 1.5, 2.5}, {30, 1, 0.8, 1.2}, {100, 0.5, 0.4, 0.6}};
  panel.curves = {curve};
  Chart chart{.title = "Lines"};
  chart.panels = {panel};
  chart.legend = {{label, "#0072b2", Line::kSolid, Shape::kDisc}};
  return chart;
}

inline Chart rows_chart(const std::vector<std::string>& names = {"love", "her"}) {
  Panel panel;
  panel.x = {.label = "change", .high = 2};
  panel.y.names = names;
  panel.marks = {{.colour = "#a6cbd6", .text_colour = "#2a788e", .values = {1.5, 0.5}},
                 {.colour = "#c04a00",
                  .text_colour = "#c04a00",
                  .shape = Shape::kDisc,
                  .values = {1.8, {}},
                  .notes = {"→ hate", ""}}};
  Chart chart{.title = "Rows", .legend_place = LegendPlace::kAbove, .width = 760, .height = 0};
  chart.panels = {panel};
  chart.legend = {{"typical", "#a6cbd6"}, {"worst", "#c04a00", Line::kNone, Shape::kDisc}};
  return chart;
}

inline Chart cells_chart(const Matrix& cells = Matrix::Identity(2, 2)) {
  Panel panel{
      .title = "before", .x = {.label = "to", .names = {"a", "b"}}, .y = {.label = "from", .names = {"c", "d"}}};
  panel.cells = cells;
  Chart chart{.title = "Cells", .columns = 2};
  chart.panels = {panel, panel};
  return chart;
}

inline std::vector<Chart> all_charts() {
  return {lines_chart(), rows_chart(), cells_chart(), Chart{.title = "Nothing"}};
}

}  // namespace wordsway::test
