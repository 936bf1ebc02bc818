#include "wordsway/figures/figure_registry.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/draw/print_svg.h"

namespace wordsway {

template class Registry<FigureEntry>;

void register_all_figures(FigureRegistry& registry);  // written by the build

const FigureRegistry& figure_registry() {
  static const FigureRegistry registry = [] {
    FigureRegistry figures("figure");
    register_all_figures(figures);
    return figures;
  }();
  return registry;
}

namespace {
constexpr int kCardWidth = 400, kCardHeight = 310;  // so that letters are as large as the page's, three cards in a row
}

std::vector<std::string> figure_names() {
  std::vector<std::string> names = figure_registry().names();
  std::stable_sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return figure_registry().get(a).order < figure_registry().get(b).order;
  });
  return names;
}

std::string why_left_out(const std::string& name, const FigureSetting& setting) {
  const FigureEntry& figure = figure_registry().get(name);
  const std::string reason = figure.lacks ? figure.lacks(setting) : std::string();
  return reason.empty() ? reason : fmt::format("the figure {} is left out: {}", name, reason);
}

ReportFigure draw_figure(const std::string& name, const std::vector<Record>& rows, const std::filesystem::path& folder,
                         Bands bands) {
  const FigureEntry& figure = figure_registry().get(name);
  ReportFigure result{name, figure.title, figure.statement, figure.caption, {}, figure.verdicts(rows), {}, 0};
  result.data = figure.data;
  const std::vector<FigurePanel> panels = figure.panels(rows);
  const auto path_of = [&](size_t panel) { return folder / fmt::format("{}-{}", name, panel + 1); };
  for (const FigurePanel& panel : panels) {
    const std::filesystem::path path = path_of(result.panels.size());
    Chart chart = panel.chart(bands);
    write_picture(chart, {.path = path.string() + ".svg", .title = false});
    if (can_print()) write_picture(chart, {.path = path.string() + ".pdf", .title = false});
    result.panels.push_back({panel.title, with_bands(panel.note, bands), std::move(chart)});
  }
  if (figure.tables) result.tables = figure.tables(rows);
  for (ReportHighlight highlight : figure.highlights) {
    if (highlight.panel >= panels.size()) continue;
    highlight.card = sized(result.panels[highlight.panel].chart, {.width = kCardWidth, .height = kCardHeight});
    result.highlights.push_back(highlight);
  }
  return result;
}

}  // namespace wordsway
