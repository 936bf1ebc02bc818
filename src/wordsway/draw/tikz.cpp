#include "wordsway/draw/tikz.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/draw/colours.h"
#include "wordsway/draw/markup.h"

namespace wordsway {
namespace {

constexpr double kPointsPerPixel = 0.6;  // 560 pixels become 336 pt, a little less than a line of text
constexpr int kRowHeight = 30;           // pixels

std::string tex_character(char32_t character) {
  struct Written {
    char32_t character;
    const char* tex;
  };
  static constexpr Written kWritten[] = {{U'#', "\\#"},
                                         {U'$', "\\$"},
                                         {U'%', "\\%"},
                                         {U'&', "\\&"},
                                         {U'_', "\\_"},
                                         {U'{', "\\{"},
                                         {U'}', "\\}"},
                                         {U'~', "\\~{}"},
                                         {U'^', "\\^{}"},
                                         {U'\\', "$\\backslash$"},
                                         {U'<', "$<$"},
                                         {U'>', "$>$"},
                                         {U'|', "$|$"},
                                         {U'α', "$\\alpha$"},
                                         {U'β', "$\\beta$"},
                                         {U'γ', "$\\gamma$"},
                                         {U'λ', "$\\lambda$"},
                                         {U'μ', "$\\mu$"},
                                         {U'φ', "$\\varphi$"},
                                         {U'Δ', "$\\Delta$"},
                                         {U'√', "$\\surd$"},
                                         {U'‖', "$\\|$"},
                                         {U'−', "$-$"},
                                         {U'·', "$\\cdot$"},
                                         {U'×', "$\\times$"},
                                         {U'→', "$\\rightarrow$"},
                                         {U'≤', "$\\leq$"},
                                         {U'≥', "$\\geq$"},
                                         {U'∞', "$\\infty$"},
                                         {U'²', "$^2$"},
                                         {U'…', "\\dots{}"},
                                         {U'–', "--"},
                                         {U'—', "---"},
                                         {U'“', "``"},
                                         {U'”', "''"},
                                         {U'’', "'"},
                                         {U'\n', " "},
                                         {U'\t', " "},
                                         {U'"', "\\textquotedbl{}"}};
  for (const Written& written : kWritten)
    if (written.character == character) return written.tex;
  std::string bytes;
  unicode::append_utf8(bytes, character);
  return bytes;
}

// "#c8401a" as TikZ takes a colour that has no name.
std::string tikz_colour(const std::string& hexadecimal) {
  const Rgb colour = parse_colour(hexadecimal).value_or(Rgb{});
  return fmt::format("{{rgb,255:red,{};green,{};blue,{}}}", colour[0], colour[1], colour[2]);
}

const char* mark_of(Shape shape) {
  switch (shape) {
    case Shape::kNone:
      return "none";
    case Shape::kDisc:
      return "*";
    case Shape::kSquare:
      return "square*";
    case Shape::kTriangle:
      return "triangle*";
    case Shape::kDownTriangle:
      return "triangle*, mark options={rotate=180}";
    case Shape::kDiamond:
      return "diamond*";
    case Shape::kRing:
      return "o";
    case Shape::kOpenSquare:
      return "square";
    case Shape::kOpenDiamond:
      return "diamond";
    case Shape::kCross:
      return "x";
  }
  return "none";
}

std::string style_of(const std::string& colour, Line line, Shape shape) {
  return fmt::format("color={}, mark={}, {}", tikz_colour(colour), mark_of(shape),
                     line == Line::kNone     ? "only marks"
                     : line == Line::kDashed ? "dashed"
                                             : "thick");
}

// "0,1,…,count − 1", and the names in braces, as pgfplots takes ticks.
std::string name_ticks(char axis, const std::vector<std::string>& names) {
  std::string places, labels;
  for (size_t k = 0; k < names.size(); ++k) {
    places += fmt::format("{}{}", k == 0 ? "" : ",", k);
    labels += fmt::format("{}{{{}}}", k == 0 ? "" : ",", tex_text(names[k]));
  }
  return names.empty() ? fmt::format(", {}tick=\\empty", axis)
                       : fmt::format(", {0}tick={{{1}}}, {0}ticklabels={{{2}}}", axis, places, labels);
}

std::string number_ticks(char axis, const std::vector<Tick>& ticks) {
  std::string places, labels;
  for (const Tick& tick : ticks) {
    places += fmt::format("{}{:g}", places.empty() ? "" : ",", tick.at);
    labels += fmt::format("{}{{{}}}", labels.empty() ? "" : ",", tex_text(tick.label));
  }
  return ticks.empty() ? "" : fmt::format(", {0}tick={{{1}}}, {0}ticklabels={{{2}}}", axis, places, labels);
}

std::string axis_options(char name, const Axis& axis) {
  constexpr size_t kMostTicks = 8;
  return fmt::format(", {0}label={{{1}}}{2}, {0}min={3:g}, {0}max={4:g}{5}", name, tex_text(axis.label),
                     axis.logarithmic ? fmt::format(", {}mode=log", name) : "", axis.low, axis.high,
                     number_ticks(name, ticks_of(axis, kMostTicks)));
}

std::string curve(const Curve& curve) {
  std::string points, above, below;
  for (const CurvePoint& point : curve.points) {
    points += fmt::format("({:g},{:g}) ", point.x, point.y);
    below += fmt::format("({:g},{:g}) ", point.x, point.low);
    above.insert(0, fmt::format("({:g},{:g}) ", point.x, point.high));
  }
  if (points.empty()) return "";
  std::string plot;
  if (curve.band_opacity > 0)
    plot = fmt::format("\\addplot[draw=none, fill={}, fill opacity={:g}] coordinates {{{}{}}} -- cycle;\n",
                       tikz_colour(curve.colour), curve.band_opacity, below, above);
  return plot +
         fmt::format("\\addplot[{}] coordinates {{{}}};\n", style_of(curve.colour, curve.line, curve.shape), points);
}

std::string row_marks(const RowMarks& marks) {
  std::string points, notes;
  for (size_t row = 0; row < marks.values.size(); ++row) {
    if (!marks.values[row]) continue;
    points += fmt::format("({:g},{}) ", *marks.values[row], row);
    if (row < marks.notes.size() && !marks.notes[row].empty())
      notes += fmt::format("\\node[anchor=west, font=\\scriptsize] at (axis cs:{:g},{}) {{\\,{}}};\n",
                           *marks.values[row], row, tex_text(marks.notes[row]));
  }
  if (points.empty()) return "";
  const std::string style = marks.shape == Shape::kNone ? "xbar, draw=none, fill=" + tikz_colour(marks.colour)
                                                        : style_of(marks.colour, Line::kNone, marks.shape);
  return fmt::format("\\addplot[{}] coordinates {{{}}};\n{}", style, points, notes);
}

std::string cells(const Panel& panel) {
  const Matrix& values = *panel.cells;
  if (values.size() == 0) return "";
  std::string table;
  for (Index r = 0; r < values.rows(); ++r)
    for (Index c = 0; c < values.cols(); ++c)
      table += fmt::format("{} {} {}\n", c, r, is_shown(values(r, c)) ? fmt::format("{:g}", values(r, c)) : "nan");
  return fmt::format("\\addplot[matrix plot*, point meta=explicit, mesh/cols={}] table[meta index=2] {{\n{}}};\n",
                     values.cols(), table);
}

std::string legend_images(const std::vector<LegendEntry>& legend) {
  std::string result;
  for (const LegendEntry& entry : legend) {
    const bool box = entry.line == Line::kNone && entry.shape == Shape::kNone;
    const std::string style = box ? "area legend, draw=none, fill=" + tikz_colour(entry.colour)
                                  : style_of(entry.colour, entry.line, entry.shape);
    result += fmt::format("\\addlegendimage{{{}}}\n\\addlegendentry{{{}}}\n", style, tex_text(entry.label));
  }
  return result;
}

// Every option follows a comma.
std::string options_of(const Panel& panel) {
  const std::string title = panel.title.empty() ? "" : fmt::format(", title={{{}}}", tex_text(panel.title));
  if (!panel.marks.empty())
    return title + fmt::format(", y dir=reverse, ymin=-0.6, ymax={:g}, xmin=0, clip=false{}{}",
                               static_cast<double>(panel.y.names.size()) - 0.4, name_ticks('y', panel.y.names),
                               fmt::format(", xlabel={{{}}}", tex_text(panel.x.label)));
  if (panel.cells)
    return title + fmt::format(
                       ", xlabel={{{}}}, ylabel={{{}}}{}{}, y dir=reverse, enlargelimits=false, point meta min=0, "
                       "x tick label style={{rotate=60, anchor=east}}",
                       tex_text(panel.x.label), tex_text(panel.y.label), name_ticks('x', panel.x.names),
                       name_ticks('y', panel.y.names));
  return title + axis_options('x', panel.x) + axis_options('y', panel.y) + ", grid=major, clip=true";
}

std::string plots_of(const Panel& panel) {
  std::string plots;
  for (const Curve& one : panel.curves) plots += curve(one);
  for (const RowMarks& marks : panel.marks) plots += row_marks(marks);
  if (panel.limit)
    plots += fmt::format("\\addplot[dashed, gray] coordinates {{({0:g},-0.5) ({0:g},{1:g})}};\n", *panel.limit,
                         static_cast<double>(panel.y.names.size()) - 0.5);
  if (panel.cells) plots += cells(panel);
  return plots;
}

std::string size_of(const Chart& chart) {
  const size_t columns = std::max<size_t>(1, chart.columns), rows = (chart.panels.size() + columns - 1) / columns;
  const int height = chart.height > 0 ? chart.height / static_cast<int>(rows)
                                      : 80 + kRowHeight * static_cast<int>(chart.panels.front().y.names.size());
  return fmt::format("scale only axis, width={:.0f}pt, height={:.0f}pt",
                     kPointsPerPixel * chart.width / static_cast<double>(columns), kPointsPerPixel * height);
}

std::string legend_style(const Chart& chart) {
  if (chart.legend.empty()) return "";
  return chart.legend_place == LegendPlace::kBeside
             ? ", legend style={at={(1.05,1)}, anchor=north west, draw=none}"
             : ", legend style={at={(0.5,-0.2)}, anchor=north, legend columns=2, draw=none}";
}

std::string scale_style(const Chart& chart) {
  const bool has_cells = chart.panels.front().cells.has_value();
  return has_cells ? fmt::format(", colormap/viridis, colorbar, point meta max={:g}", chart.largest_cell) : "";
}

// One axis by itself; several panels as a group, with the legend at the last panel of the first row.
std::string axes_of(const Chart& chart, bool with_title) {
  const std::string common =
      size_of(chart) + (chart.panels.front().cells ? "" : ", axis lines=left") + scale_style(chart);
  if (chart.panels.size() == 1) {
    const std::string title =
        with_title && !chart.title.empty() ? fmt::format(", title={{{}}}", tex_text(chart.title)) : "";
    return fmt::format("\\begin{{axis}}[{}{}{}{}]\n{}{}\\end{{axis}}\n", common, legend_style(chart),
                       options_of(chart.panels.front()), title, legend_images(chart.legend),
                       plots_of(chart.panels.front()));
  }
  const size_t columns = std::max<size_t>(1, chart.columns), rows = (chart.panels.size() + columns - 1) / columns;
  std::string panels;
  for (size_t k = 0; k < chart.panels.size(); ++k) {
    const bool has_legend = k + 1 == columns;
    panels += fmt::format("\\nextgroupplot[{}{}]\n{}{}", options_of(chart.panels[k]).substr(2),
                          has_legend ? legend_style(chart) : "", has_legend ? legend_images(chart.legend) : "",
                          plots_of(chart.panels[k]));
  }
  return fmt::format(
      "\\begin{{groupplot}}[group style={{group size={} by {}, horizontal sep=60pt, vertical sep=60pt}}, {}]\n{}"
      "\\end{{groupplot}}\n",
      columns, rows, common, panels);
}

}  // namespace

std::string tex_text(const Text& text) {
  std::string result;
  for (const Text::Run& run : text.runs()) {
    std::string content;
    for (const char32_t character : displayable(run.text)) content += tex_character(character);
    result += run.raised ? fmt::format("\\textsuperscript{{{}}}", content) : content;
  }
  return result;
}

std::string draw_tikz(const Chart& chart, bool with_title) {
  const bool grouped = chart.panels.size() > 1;
  const std::string content = chart.panels.empty()
                                  ? fmt::format("\\node {{{}: nothing to draw}};\n", tex_text(chart.title))
                                  : axes_of(chart, with_title);
  return fmt::format(
      "% Made by wordsway. Needs, in the preamble:\n%   \\usepackage{{pgfplots}}\n"
      "%   \\pgfplotsset{{compat=1.18}}\n{}\\begin{{tikzpicture}}\n{}\\end{{tikzpicture}}\n",
      grouped ? "%   \\usepgfplotslibrary{groupplots}\n" : "", content);
}

}  // namespace wordsway
