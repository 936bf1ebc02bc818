#include "wordsway/figures/tikz.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/utf8.h"
#include "wordsway/figures/page/page_parts.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway {
namespace {

constexpr double kPointsPerPixel = 0.6;  // 560 pixels become 336 pt, a little less than a line of text
constexpr std::array<const char*, 6> kTikzMarks = {"square", "*", "o", "triangle", "diamond", "x"};

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
  const auto part = [&](size_t at) { return std::stoi(hexadecimal.substr(at, 2), nullptr, 16); };
  return fmt::format("{{rgb,255:red,{};green,{};blue,{}}}", part(1), part(3), part(5));
}

std::string size_of(const Canvas& canvas) {
  return fmt::format("scale only axis, width={:.0f}pt, height={:.0f}pt", canvas.width * kPointsPerPixel,
                     canvas.height * kPointsPerPixel);
}

std::string title_of(const Canvas& canvas, const std::string& title) {
  return canvas.title && !title.empty() ? fmt::format(", title={{{}}}", tex_text(title)) : "";
}

void write_picture(const Canvas& canvas, const std::string& libraries, const std::string& content) {
  write_file_atomically(
      canvas.path, fmt::format("% Made by wordsway. Needs, in the preamble:\n%   \\usepackage{{pgfplots}}\n"
                               "%   \\pgfplotsset{{compat=1.18}}\n{}\\begin{{tikzpicture}}\n{}\\end{{tikzpicture}}\n",
                               libraries, content));
}

std::string labels_list(const std::vector<std::string>& labels) {
  std::string list;
  for (const std::string& label : labels) list += fmt::format("{}{{{}}}", list.empty() ? "" : ",", tex_text(label));
  return list;
}

// 0,1,…,count − 1.
std::string positions(size_t count) {
  std::string list;
  for (size_t k = 0; k < count; ++k) list += fmt::format("{}{}", k == 0 ? "" : ",", k);
  return list;
}

// Where the points are, unless they are too many to be read.
std::string point_tics(const std::set<double>& sizes) {
  return sizes.empty() || sizes.size() > 12 ? "" : fmt::format(", xtick={{{:g}}}", fmt::join(sizes, ","));
}

// 1, 2 and 5 of every decade.
std::string decade_tics(double low, double high) {
  std::vector<double> values;
  if (!(low > 0) || !(high >= low) || high / low > 1e6) return "";
  for (int decade = static_cast<int>(std::floor(std::log10(low))); std::pow(10, decade) <= high; ++decade)
    for (const double step : {1.0, 2.0, 5.0})
      if (const double value = step * std::pow(10, decade); value >= low && value <= high) values.push_back(value);
  return values.empty() ? "" : fmt::format(", ytick={{{:g}}}", fmt::join(values, ","));
}

}  // namespace

bool is_tikz(const Canvas& canvas) {
  return canvas.path.extension() == ".tex";
}

std::string tex_text(std::string_view text) {
  std::string result;
  for (const char32_t character : displayable(text)) result += tex_character(character);
  return result;
}

void write_tikz(const LineChart& chart, const Canvas& given) {
  const Canvas canvas = given.sized(560, 400);
  std::vector<std::string> labels;
  for (const Series& series : chart.series) labels.push_back(series.label);
  const auto colours = curve_colours(labels);
  std::string plots;
  double left = HUGE_VAL, right = 0, bottom = HUGE_VAL, top = 0;
  std::set<double> sizes;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    std::string points, above, below;
    bool has_band = false;
    for (const CurvePoint& point : shown_points(chart, chart.series[s], canvas.bands)) {
      points += fmt::format("({:g},{:g}) ", point.x, point.y);
      below += fmt::format("({:g},{:g}) ", point.x, point.low);
      above.insert(0, fmt::format("({:g},{:g}) ", point.x, point.high));
      has_band = has_band || point.high > point.low;
      left = std::min(left, point.x);
      right = std::max(right, point.x);
      bottom = std::min(bottom, point.low);
      top = std::max(top, point.high);
      sizes.insert(point.x);
    }
    const std::string colour = tikz_colour(colours[s]);
    if (has_band)
      plots +=
          fmt::format("\\addplot[draw=none, fill={}, fill opacity=0.18, forget plot] coordinates {{{}{}}} -- cycle;\n",
                      colour, below, above);
    plots += fmt::format("\\addplot[color={}, mark={}, thick] coordinates {{{}}};\n\\addlegendentry{{{}}}\n", colour,
                         kTikzMarks[s % kTikzMarks.size()], points, tex_text(labels[s]));
  }
  if (chart.log_x && chart.log_y && top > 0)
    for (const double slope : chart.reference_slopes)
      plots +=
          fmt::format("\\addplot[dashed, gray, domain={:g}:{:g}] {{{:g}*(x/{:g})^({:g})}};\n\\addlegendentry{{{}}}\n",
                      left, right, top, left, slope, slope == 0 ? "constant" : fmt::format("slope ${:g}$", slope));
  write_picture(
      canvas, "",
      fmt::format(
          "\\begin{{axis}}[{}{}{}{}, xlabel={{{}}}, ylabel={{{}}}, legend style={{at={{(0.5,-0.2)}}, "
          "anchor=north, legend columns=2, draw=none}}, axis lines=left, grid=major, clip=true]\n{}"
          "\\end{{axis}}\n",
          size_of(canvas),
          (chart.log_x ? std::string(", xmode=log, log ticks with fixed point") : std::string()) + point_tics(sizes),
          chart.log_y ? ", ymode=log, log ticks with fixed point" + decade_tics(bottom, top) : std::string(", ymin=0"),
          title_of(canvas, chart.title), tex_text(chart.x_label), tex_text(chart.y_label), plots));
}

void write_tikz(const BarChart& chart, const Canvas& given) {
  Canvas canvas = given.sized(560, 0);
  const size_t rows = chart.labels.size();
  if (canvas.height == 0) canvas.height = static_cast<int>(80 + 30 * rows);
  std::vector<std::string> names;
  for (const BarSeries& series : chart.series) names.push_back(series.name);
  std::string plots;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const BarSeries& series = chart.series[s];
    std::string points, notes;
    for (size_t row = 0; row < rows && row < series.values.size(); ++row) {
      if (!series.values[row] || !is_shown(*series.values[row]) || *series.values[row] < 0) continue;
      points += fmt::format("({:g},{}) ", *series.values[row], row);
      if (row < series.notes.size() && !series.notes[row].empty())
        notes += fmt::format("\\node[anchor=west, font=\\scriptsize] at (axis cs:{:g},{}) {{\\,{}}};\n",
                             *series.values[row], row, tex_text(series.notes[row]));
    }
    plots += fmt::format(
        "\\addplot[{}] coordinates {{{}}};\n",
        s == 0 ? "xbar, draw=none, fill=gray!40" : "only marks, mark=" + std::string(kTikzMarks[s % kTikzMarks.size()]),
        points);
    if (chart.series.size() > 1) plots += fmt::format("\\addlegendentry{{{}}}\n", tex_text(series.name));
    plots += notes;
  }
  write_picture(canvas, "",
                fmt::format("\\begin{{axis}}[{}{}, y dir=reverse, ymin=-0.6, ymax={:g}, xmin=0, ytick={{{}}}, "
                            "yticklabels={{{}}}, xlabel={{{}}}, axis lines=left, legend style={{at={{(0.5,-0.2)}}, "
                            "anchor=north, legend columns=2, draw=none}}, clip=false]\n{}\\end{{axis}}\n",
                            size_of(canvas), title_of(canvas, chart.title), static_cast<double>(rows) - 0.4,
                            positions(rows), labels_list(chart.labels), tex_text(chart.value_label), plots));
}

void write_tikz(const HeatMap& map, const Canvas& given) {
  const Canvas canvas = given.sized(420, 380);
  double largest = 0;
  for (const HeatPanel& panel : map.panels)
    for (const double value : panel.values.reshaped())
      if (is_shown(value)) largest = std::max(largest, value);
  std::string panels;
  for (const HeatPanel& panel : map.panels) {
    std::string cells;
    for (Index r = 0; r < panel.values.rows(); ++r)
      for (Index c = 0; c < panel.values.cols(); ++c)
        cells += fmt::format("{} {} {}\n", c, r,
                             is_shown(panel.values(r, c)) ? fmt::format("{:g}", panel.values(r, c)) : "nan");
    const auto tics = [](char axis, const std::vector<std::string>& labels) {
      return labels.empty() ? ""
                            : fmt::format(", {0}tick={{{1}}}, {0}ticklabels={{{2}}}", axis, positions(labels.size()),
                                          labels_list(labels));
    };
    panels += fmt::format(
        "\\nextgroupplot[title={{{}}}, xlabel={{{}}}, ylabel={{{}}}{}{}, x tick label style={{rotate=60, "
        "anchor=east}}, "
        "point meta min=0, point meta max={:g}, enlargelimits=false]\n"
        "\\addplot[matrix plot*, point meta=explicit, mesh/cols={}] table[meta index=2] {{\n{}}};\n",
        tex_text(panel.title), tex_text(map.column_label), tex_text(map.row_label), tics('x', panel.column_labels),
        tics('y', panel.row_labels), largest > 0 ? largest : 1, std::max<Index>(1, panel.values.cols()), cells);
  }
  write_picture(
      canvas, "%   \\usepgfplotslibrary{groupplots}\n",
      fmt::format("\\begin{{groupplot}}[group style={{group size={} by 1, horizontal sep=60pt}}, {}, y dir=reverse, "
                  "colormap/viridis, colorbar]\n{}\\end{{groupplot}}\n",
                  std::max<size_t>(1, map.panels.size()), size_of(canvas), panels));
}

}  // namespace wordsway
