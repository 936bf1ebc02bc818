#include "wordsway/draw/svg.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/draw/colours.h"
#include "wordsway/draw/markup.h"
#include "wordsway/draw/row_notes.h"
#include "wordsway/draw/svg_elements.h"

namespace wordsway {
namespace {

using Anchor = SvgElements::Anchor;

constexpr double kEdge = 12, kGap = 8, kLine = 22;     // around everything; between things; of text
constexpr double kTickLine = 20, kTickLength = 4;      // labels of an axis; its ticks
constexpr double kScale = 68, kScaleWidth = 14;        // the colour scale: with its numbers; the bar itself
constexpr double kLegendMark = 26, kLegendRadius = 5;  // a line with a mark on it
constexpr double kHighestRow = 34, kLowestRow = 22;    // few rows are high, many are low
constexpr double kPage = 400, kLeastField = 130;       // what few rows share; lower pictures look lost on a page
constexpr double kThickestBar = 22;
constexpr size_t kSecondAxisFrom = 25;  // rows: the lower axis may then be out of sight
constexpr double kMostForNames = 0.4;   // of the width
constexpr double kWidestTurnedName = 110;
constexpr Index kMostTitledCells = 2500;  // cells that tell their value when pointed at

struct Box {
  double left, top, right, bottom;
  double width() const { return right - left; }
  double height() const { return bottom - top; }
  double middle() const { return (left + right) / 2; }
};

// Maps the range of an axis to pixels.
struct Scale {
  const Axis* axis;
  double from, to;

  double operator()(double value) const {
    const double low = axis->low, high = axis->high;
    const double share = axis->logarithmic
                             ? (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low))
                             : (value - low) / (high - low);
    return from + share * (to - from);
  }
};

size_t count_for(double pixels, double each) {
  return static_cast<size_t>(std::max(2.0, pixels / each));
}

double widest(const std::vector<Tick>& ticks) {
  double width = 0;
  for (const Tick& tick : ticks) width = std::max(width, text_width(tick.label));
  return width;
}

double widest(const std::vector<std::string>& names) {
  double width = 0;
  for (const std::string& name : names) width = std::max(width, text_width(name));
  return width;
}

// Numeric axes.

void draw_value_axis(SvgElements& svg, const Panel& panel, const Box& field, const Scale& y) {
  for (const Tick& tick : ticks_of(panel.y, count_for(field.height(), 32))) {
    svg.line({field.left, y(tick.at)}, {field.right, y(tick.at)}, "grid");
    svg.text({field.left - kGap, y(tick.at)}, tick.label, {.anchor = Anchor::kEnd});
  }
}

// Labels that would touch the one before are left out; their ticks stay.
void draw_position_axis(SvgElements& svg, const std::vector<Tick>& ticks, const Box& field, const Scale& x) {
  double taken = -kGap;
  for (const Tick& tick : ticks) {
    const double at = x(tick.at), half = text_width(tick.label) / 2;
    svg.line({at, field.top}, {at, field.bottom}, "grid");
    svg.line({at, field.bottom}, {at, field.bottom + kTickLength}, "frame");
    if (at - half < taken + kGap) continue;
    svg.text({at, field.bottom + kTickLine / 2 + kTickLength}, tick.label, {.anchor = Anchor::kMiddle});
    taken = at + half;
  }
}

// Where two points lie on different sides of a horizontal line, and the part on its right side.
std::vector<Place> cut(const std::vector<Place>& places, double edge, bool keep_below) {
  const auto inside = [&](const Place& p) { return keep_below ? p.y >= edge : p.y <= edge; };
  std::vector<Place> result;
  for (size_t k = 0; k < places.size(); ++k) {
    const Place &a = places[k], &b = places[(k + 1) % places.size()];
    if (inside(a)) result.push_back(a);
    if (inside(a) != inside(b)) result.push_back({a.x + (b.x - a.x) * (edge - a.y) / (b.y - a.y), edge});
  }
  return result;
}

void draw_band(SvgElements& svg, const Curve& curve, const Box& field, const Scale& x, const Scale& y) {
  if (curve.band_opacity <= 0) return;
  std::vector<Place> outline;
  for (const CurvePoint& point : curve.points) outline.push_back({x(point.x), y(point.high)});
  for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point)
    outline.push_back({x(point->x), y(point->low)});
  svg.area(cut(cut(outline, field.top, true), field.bottom, false), curve.colour, curve.band_opacity);
}

void draw_curve(SvgElements& svg, const Curve& curve, const Scale& x, const Scale& y) {
  std::vector<Place> places;
  for (const CurvePoint& point : curve.points) places.push_back({x(point.x), y(point.y)});
  if (curve.line != Line::kNone)
    svg.polyline(places, curve.colour, curve.line == Line::kDashed ? 1.5 : 2, curve.line == Line::kDashed);
  if (curve.shape == Shape::kNone) return;
  const bool tells = !curve.label.empty();
  for (size_t k = 0; k < places.size(); ++k)
    svg.mark(places[k], curve.shape, 4, curve.colour,
             tells ? fmt::format("{}, {:g}: {:.4g}", curve.label.plain(), curve.points[k].x, curve.points[k].y) : "");
}

void draw_axis_labels(SvgElements& svg, const Panel& panel, const Box& box, const Box& field) {
  svg.text({field.middle(), box.bottom - kLine / 2}, fitted(panel.x.label, box.width()), {.anchor = Anchor::kMiddle});
  svg.text({box.left + kLine / 2, (field.top + field.bottom) / 2}, fitted(panel.y.label, box.height()),
           {.anchor = Anchor::kMiddle, .turned = -90});
}

double space_below(const Axis& x) {
  return kTickLine + kTickLength + (x.label.empty() ? 0 : kLine);
}

void draw_frame(SvgElements& svg, const Box& field) {
  svg.line({field.left, field.top}, {field.left, field.bottom}, "frame");
  svg.line({field.left, field.bottom}, {field.right, field.bottom}, "frame");
}

void draw_curves(SvgElements& svg, const Panel& panel, const Box& box) {
  const double below = space_below(panel.x), label = panel.y.label.empty() ? 0 : kLine;
  const auto y_ticks = ticks_of(panel.y, count_for(box.height() - below, 32));
  const Box field{box.left + label + widest(y_ticks) + kGap, box.top + kGap, box.right - kGap, box.bottom - below};
  const Scale x{&panel.x, field.left, field.right}, y{&panel.y, field.bottom, field.top};
  draw_value_axis(svg, panel, field, y);
  draw_position_axis(svg, ticks_of(panel.x, count_for(field.width(), 48)), field, x);
  draw_frame(svg, field);
  for (const Curve& curve : panel.curves) draw_band(svg, curve, field, x, y);
  for (const Curve& curve : panel.curves) draw_curve(svg, curve, x, y);
  draw_axis_labels(svg, panel, box, field);
}

// Named rows with bars and marks.

bool has_rows(const Panel& panel) {
  return !panel.marks.empty();
}

double row_height(size_t rows) {
  const double share = 1 / static_cast<double>(std::max<size_t>(1, rows));
  return std::max(kLeastField * share, std::clamp(kPage * share, kLowestRow, kHighestRow));
}

double axis_above(size_t rows) {
  return rows >= kSecondAxisFrom ? kTickLine + kTickLength : 0;
}

double height_of_rows(const Panel& panel) {
  const size_t rows = panel.y.names.size();
  return kGap + axis_above(rows) + row_height(rows) * static_cast<double>(rows) + space_below(panel.x) + kGap;
}

// Words that are read from right to left, and marks beside them: U+200E keeps the line in the order of the others.
std::string in_order(const std::string& text) {
  const auto from_the_right = [](char32_t c) {
    const auto between = [&](char32_t first, char32_t last) { return c >= first && c <= last; };
    return between(0x590, 0x8FF) || between(0xFB1D, 0xFDFF) || between(0xFE70, 0xFEFE) || between(0x10800, 0x10FFF) ||
           between(0x1E800, 0x1EFFF);
  };
  return std::ranges::any_of(displayable(text), from_the_right) ? "\u200e" + text : text;
}

void draw_row(SvgElements& svg, const Panel& panel, size_t row, const RowField& field, double y, double height,
              double available) {
  const double bar = std::min(0.64 * height, kThickestBar);
  for (const RowMarks& marks : panel.marks) {
    if (row >= marks.values.size() || !marks.values[row]) continue;
    const double value = *marks.values[row], x = field.x(value);
    if (marks.shape == Shape::kNone)
      svg.box({field.left, y - bar / 2}, x - field.left, bar, "bar", fmt::format("{:.4g}", value));
    else
      svg.mark({x, y}, marks.shape, kRowMarkRadius, marks.colour, fmt::format("{:.4g}", value));
  }
  for (const RowNote& note : row_notes(panel, row, field, available))
    svg.text({note.x, y}, note.text, {.paint = note.colour});
}

void draw_rows(SvgElements& svg, const Panel& panel, const Box& box) {
  const size_t rows = panel.y.names.size();
  const double names = std::min(widest(panel.y.names), kMostForNames * box.width()), left = box.left + names + kGap;
  const double available = box.right - kEdge - left, top = box.top + kGap + axis_above(rows), each = row_height(rows);
  const RowField place = row_field(panel, left, available);
  const Box field{left, top, place.right, top + each * static_cast<double>(rows)};
  const Scale x{&panel.x, field.left, field.right};
  const auto middle = [&](size_t row) { return top + each * (static_cast<double>(row) + 0.5); };
  for (size_t row = 1; row < rows; row += 2) svg.box({box.left, middle(row) - each / 2}, box.width(), each, "tint");
  const auto ticks = ticks_of(panel.x, count_for(field.width(), 72));
  draw_position_axis(svg, ticks, field, x);
  if (axis_above(rows) > 0)
    for (const Tick& tick : ticks) svg.text({x(tick.at), top - kTickLine / 2}, tick.label, {.anchor = Anchor::kMiddle});
  for (size_t row = 0; row < rows; ++row) {
    svg.text({left - kGap, middle(row)}, fitted(in_order(panel.y.names[row]), names), {.anchor = Anchor::kEnd});
    draw_row(svg, panel, row, place, middle(row), each, available);
  }
  draw_frame(svg, field);
  if (panel.limit) {
    const double at = place.x(*panel.limit);
    svg.polyline({{at, field.top}, {at, field.bottom}}, "#777777", 1.5, true);
  }
  const Text label = fitted(panel.x.label, box.width());
  const double half = text_width(label) / 2;
  svg.text({std::clamp(field.middle(), box.left + half, box.right - half),
            field.bottom + kTickLine + kTickLength + kLine / 2},
           label, {.anchor = Anchor::kMiddle});
}

// Cells.

// Every how many names there is room for one.
size_t stride_for(size_t count, double pixels) {
  return static_cast<size_t>(std::ceil(static_cast<double>(count) * (kFontSize - 1) / std::max(1.0, pixels)));
}

struct ColumnNames {
  bool turned;
  double height, reach;  // below the cells, and to the left of a column's middle
};

ColumnNames column_names(const std::vector<std::string>& names, double width) {
  const double most = widest(names), column = width / static_cast<double>(std::max<size_t>(1, names.size()));
  if (names.empty()) return {false, 0, 0};
  if (most + kGap <= column) return {false, kLine, most / 2};
  const double length = std::min(most, kWidestTurnedName);
  return {true, 0.87 * length + kLine, 0.5 * length};
}

void draw_cell_values(SvgElements& svg, const Panel& panel, const Box& field, double largest) {
  const Matrix& values = *panel.cells;
  const double width = field.width() / static_cast<double>(values.cols()),
               height = field.height() / static_cast<double>(values.rows());
  const auto name = [](const std::vector<std::string>& names, Index k) {
    return static_cast<size_t>(k) < names.size() ? names[static_cast<size_t>(k)] : fmt::format("{}", k);
  };
  svg.begin_crisp();
  for (Index r = 0; r < values.rows(); ++r)
    for (Index c = 0; c < values.cols(); ++c) {
      if (!is_shown(values(r, c))) continue;
      const std::string told = values.size() > kMostTitledCells ? ""
                                                                : fmt::format("{}, {}: {:.3g}", name(panel.y.names, r),
                                                                              name(panel.x.names, c), values(r, c));
      svg.cell({field.left + width * static_cast<double>(c), field.top + height * static_cast<double>(r)}, width,
               height, cell_colour(values(r, c) / largest), told);
    }
  svg.end_crisp();
}

void draw_cells(SvgElements& svg, const Panel& panel, const Box& box, double largest) {
  const double label = panel.y.label.empty() ? 0 : kLine, below = panel.x.label.empty() ? 0 : kLine;
  const double rows = std::min(widest(panel.y.names), kMostForNames * box.width());
  const ColumnNames columns = column_names(panel.x.names, box.width() - label - rows - 2 * kGap);
  const double left = std::max(label + rows + kGap, columns.reach - kGap);
  const Box field{box.left + left, box.top + kGap, box.right - kGap, box.bottom - below - columns.height - kGap};
  if (panel.cells->size() > 0) draw_cell_values(svg, panel, field, largest);
  const auto row_step = stride_for(panel.y.names.size(), field.height());
  for (size_t row = 0; row < panel.y.names.size(); row += row_step) {
    const double y =
        field.top + field.height() * (static_cast<double>(row) + 0.5) / static_cast<double>(panel.y.names.size());
    svg.text({field.left - kGap, y}, fitted(panel.y.names[row], rows), {.anchor = Anchor::kEnd});
  }
  const auto column_step = columns.turned ? stride_for(panel.x.names.size(), field.width()) : 1;
  for (size_t column = 0; column < panel.x.names.size(); column += column_step) {
    const double x =
        field.left + field.width() * (static_cast<double>(column) + 0.5) / static_cast<double>(panel.x.names.size());
    if (columns.turned)
      svg.text({x, field.bottom + kGap}, fitted(panel.x.names[column], kWidestTurnedName),
               {.anchor = Anchor::kEnd, .turned = -60});
    else
      svg.text({x, field.bottom + kLine / 2}, panel.x.names[column], {.anchor = Anchor::kMiddle});
  }
  draw_frame(svg, field);
  svg.line({field.left, field.top}, {field.right, field.top}, "frame");
  svg.line({field.right, field.top}, {field.right, field.bottom}, "frame");
  draw_axis_labels(svg, panel, box, field);
}

void draw_colour_scale(SvgElements& svg, const Box& box, double largest) {
  constexpr int kSteps = 64;
  const Axis axis{.high = largest};
  const double top = box.top + kGap, bottom = box.bottom - kGap, each = (bottom - top) / kSteps;
  svg.begin_crisp();
  for (int k = 0; k < kSteps; ++k)
    svg.cell({box.left, bottom - each * (k + 1)}, kScaleWidth, each, cell_colour((k + 0.5) / kSteps));
  svg.end_crisp();
  const Scale y{&axis, bottom, top};
  for (const Tick& tick : ticks_of(axis, count_for(bottom - top, 60)))
    svg.text({box.left + kScaleWidth + 4, y(tick.at)}, tick.label, {});
}

// The legend.

struct LegendLayout {
  size_t columns = 1, lines = 0;
  double column = 0;  // its width
  double height() const { return lines == 0 ? 0 : kLine * static_cast<double>(lines) + kGap; }
};

double legend_width(const std::vector<LegendEntry>& entries) {
  double width = 0;
  for (const LegendEntry& entry : entries) width = std::max(width, text_width(entry.label));
  return kLegendMark + kGap + width + kEdge + 2;
}

LegendLayout lay_out_legend(const std::vector<LegendEntry>& entries, double width) {
  if (entries.empty()) return {};
  LegendLayout layout;
  layout.column = std::min(legend_width(entries), width);
  layout.columns = std::clamp<size_t>(static_cast<size_t>(width / layout.column), 1, entries.size());
  layout.lines = (entries.size() + layout.columns - 1) / layout.columns;
  return layout;
}

// Column by column.
void draw_legend(SvgElements& svg, const std::vector<LegendEntry>& entries, Place corner, const LegendLayout& layout) {
  for (size_t k = 0; k < entries.size(); ++k) {
    const LegendEntry& entry = entries[k];
    const double x = corner.x + layout.column * static_cast<double>(k / layout.lines),
                 y = corner.y + kLine * (static_cast<double>(k % layout.lines) + 0.5), middle = x + kLegendMark / 2;
    if (entry.line == Line::kNone && entry.shape == Shape::kNone) svg.box({middle - 6, y - 6}, 12, 12, "bar");
    if (entry.line != Line::kNone)
      svg.polyline({{x, y}, {x + kLegendMark, y}}, entry.colour, entry.line == Line::kDashed ? 1.5 : 2,
                   entry.line == Line::kDashed);
    svg.mark({middle, y}, entry.shape, kLegendRadius, entry.colour);
    svg.text({x + kLegendMark + kGap, y}, fitted(entry.label, layout.column - kLegendMark - kGap), {});
  }
}

// Everything together.

void draw_panel(SvgElements& svg, const Panel& panel, Box box, double largest_cell) {
  if (!panel.title.empty()) {
    svg.text({box.middle(), box.top + kLine / 2}, fitted(panel.title, box.width()), {.anchor = Anchor::kMiddle});
    box.top += kLine;
  }
  if (has_rows(panel))
    draw_rows(svg, panel, box);
  else if (panel.cells)
    draw_cells(svg, panel, box, largest_cell);
  else
    draw_curves(svg, panel, box);
}

void draw_panels(SvgElements& svg, const Chart& chart, const Box& area) {
  const auto columns = static_cast<double>(chart.columns),
             rows = std::ceil(static_cast<double>(chart.panels.size()) / columns);
  const double width = area.width() / columns, height = area.height() / rows;
  for (size_t k = 0; k < chart.panels.size(); ++k) {
    const double left = area.left + width * static_cast<double>(k % chart.columns),
                 top = area.top + height * static_cast<double>(k / chart.columns);
    const double gap_right = chart.columns > 1 ? kGap : 0, gap_below = rows > 1 ? kGap : 0;
    draw_panel(svg, chart.panels[k], {left, top, left + width - gap_right, top + height - gap_below},
               chart.largest_cell);
  }
}

bool has_cells(const Chart& chart) {
  return std::ranges::any_of(chart.panels, [](const Panel& panel) { return panel.cells.has_value(); });
}

// Returns how high the picture is.
double draw_everything(SvgElements& svg, const Chart& chart, bool with_title) {
  const bool beside = chart.legend_place == LegendPlace::kBeside && !chart.legend.empty();
  const double width = chart.width, right = beside ? width - legend_width(chart.legend) : width - kEdge;
  double top = kGap;
  if (with_title && !chart.title.empty()) {
    svg.text({width / 2, top + kLine / 2}, fitted(chart.title, 0.92 * (width - 2 * kEdge)),
             {.anchor = Anchor::kMiddle, .bold = true});
    top += kLine + 2;
  }
  const LegendLayout legend = beside ? LegendLayout{1, chart.legend.size(), legend_width(chart.legend)}
                                     : lay_out_legend(chart.legend, width - 2 * kEdge);
  if (chart.legend_place == LegendPlace::kAbove) {
    draw_legend(svg, chart.legend, {kEdge, top}, legend);
    top += legend.height();
  }
  const double remark = chart.remark.empty() ? 0 : kLine;
  const double bottom =
      chart.height > 0 ? std::max(chart.height - kGap, top + kLeastField) : top + height_of_rows(chart.panels.front());
  Box area{kEdge, top, right, bottom};
  if (has_cells(chart)) {
    area.right -= kScale;
    const double title = chart.panels.front().title.empty() ? 0 : kLine;
    draw_colour_scale(svg,
                      {area.right + kGap, area.top + title, right, std::max(area.top + title + 80, area.bottom - 100)},
                      chart.largest_cell);
  }
  draw_panels(svg, chart, area);
  double end = bottom + kGap;
  if (beside) draw_legend(svg, chart.legend, {right + kGap, top + kLine}, legend);
  if (chart.legend_place == LegendPlace::kBelow) {
    draw_legend(svg, chart.legend, {kEdge, end}, legend);
    end += legend.height();
  }
  if (remark > 0) svg.text({kEdge, end + remark / 2}, fitted(chart.remark, width - 2 * kEdge), {.paint = "soft"});
  return end + remark;
}

double draw_nothing(SvgElements& svg, const Chart& chart, bool with_title) {
  const double width = chart.width, height = chart.height > 0 ? chart.height : kPage;
  if (with_title)
    svg.text({width / 2, kGap + kLine / 2}, fitted(chart.title, width - 2 * kEdge),
             {.anchor = Anchor::kMiddle, .bold = true});
  const Box field{kEdge, kGap + kLine + kGap, width - kEdge, height - kEdge};
  draw_frame(svg, field);
  svg.text({field.middle(), (field.top + field.bottom) / 2}, "nothing to draw",
           {.anchor = Anchor::kMiddle, .paint = "soft"});
  return height;
}

std::string own_style(const std::set<std::string>& colours) {
  return fmt::format("<style>@media screen and (prefers-color-scheme:dark){{{}{}}}</style>\n", dark_role_rules(),
                     dark_colour_rules(colours));
}

}  // namespace

SvgPicture draw_svg(const Chart& chart, SvgUse use, bool with_title) {
  SvgElements content;
  const double height =
      chart.panels.empty() ? draw_nothing(content, chart, with_title) : draw_everything(content, chart, with_title);
  SvgPicture picture{{}, chart.width, static_cast<int>(std::ceil(height)), content.colours()};
  SvgElements paper;
  paper.box({0, 0}, picture.width, picture.height, "paper");
  const std::string size =
      use == SvgUse::kPage ? "" : fmt::format(" width=\"{}\" height=\"{}\"", picture.width, picture.height);
  picture.markup = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\"{} viewBox=\"0 0 {} {}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"{}\">\n<title>{}</title>\n{}{}{}</svg>",
      size, picture.width, picture.height, kFontSize, escape_html(fitted(chart.title, 1e5).plain()),
      use == SvgUse::kFile ? own_style(picture.colours) : "", paper.markup(), content.markup());
  return picture;
}

std::string page_chart_style(const std::set<std::string>& colours) {
  return fmt::format(
      ".ww-ink{{fill:var(--ink)}}.ww-soft{{fill:var(--soft)}}.ww-grid{{stroke:var(--line)}}"
      ".ww-frame{{stroke:var(--soft)}}.ww-paper{{fill:none}}.ww-tint{{fill:var(--tint)}}\n"
      "@media screen and (prefers-color-scheme: dark){{{}{}}}\n",
      dark_role_rules("bar"), dark_colour_rules(colours));
}

}  // namespace wordsway
