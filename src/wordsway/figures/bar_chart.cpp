#include "wordsway/figures/bar_chart.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wordsway/figures/legend.h"
#include "wordsway/figures/page/page_parts.h"
#include "wordsway/figures/tikz.h"

namespace wordsway {
namespace {

// Everything is placed here, in pixels from the upper left corner: gnuplot cannot tell how wide a text is.
constexpr double kEdge = 12, kGap = 8;
constexpr double kLine = 22;                         // of text: title and legend
constexpr double kHighestRow = 34, kLowestRow = 22;  // few rows are high, many are low
constexpr double kPage = 400, kLeastField = 110;     // what few rows share; lower pictures look lost on a page
constexpr double kThickestBar = 22;
constexpr double kAxis = 30, kAxisLabel = 24;  // numbers of the axis; its name
constexpr double kMarkRadius = 6;
constexpr double kMostForLabels = 0.4, kMostForNotes = 0.4;  // of the width; of what labels leave
constexpr double kWidestNote = 200;
constexpr size_t kSecondAxisFrom = 25;  // rows: the lower axis may then be out of sight
constexpr size_t kMostRows = 1000;      // a png can be 32767 pixels high

struct Mark {
  const char* colour;
  int point;  // gnuplot's number of the shape
};
// Bars are pale, so that marks can be seen on them. Colours that colour-blind people tell apart, and shapes besides.
constexpr const char *kBarColour = "#a6cbd6", *kBarText = "#2a788e";
constexpr std::array<Mark, 5> kMarks = {
    {{"#c04a00", 7}, {"#440154", 12}, {"#222222", 2}, {"#0a7d5c", 9}, {"#99004d", 4}}};

const Mark& mark_of(size_t series) {
  return kMarks[(series - 1) % kMarks.size()];
}

std::optional<double> shown(const BarSeries& series, size_t row) {
  if (row >= series.values.size() || !series.values[row]) return std::nullopt;
  const double value = *series.values[row];
  if (!is_shown(value) || value < 0) return std::nullopt;
  return value < kSmallestShown ? 0 : value;
}

double largest_value(const BarChart& chart) {
  double largest = 0;
  for (const BarSeries& series : chart.series)
    for (size_t row = 0; row < series.values.size(); ++row) largest = std::max(largest, shown(series, row).value_or(0));
  return largest;
}

bool is_written_from_the_right(char32_t c) {
  const auto between = [&](char32_t first, char32_t last) { return c >= first && c <= last; };
  return between(0x590, 0x8FF) || between(0xFB1D, 0xFDFF) || between(0xFE70, 0xFEFE) || between(0x10800, 0x10FFF) ||
         between(0x1E800, 0x1EFFF);
}

// Words that are read from right to left, and marks beside them: U+200E at the beginning keeps the order of all formats
// that of an SVG, where the library that draws PNG would turn the whole line.
std::string in_order(std::string text) {
  const std::u32string characters = displayable(text);
  const bool turned = std::any_of(characters.begin(), characters.end(), is_written_from_the_right);
  return turned ? "\u200e" + text : text;
}

struct Place {
  Canvas canvas;
  double left = 0, right = 0, top = 0, bottom = 0;  // of the field with the marks
  double row_height = 0, widest_label = 0, widest_note = 0;
  double end = 1;  // the axis goes from 0 to this value

  double x(double value) const { return left + (right - left) * (value / end); }
  double y(size_t row) const { return top + row_height * (static_cast<double>(row) + 0.5); }
  // As gnuplot has it: parts of the picture, from below.
  double across(double pixels) const { return pixels / canvas.width; }
  double up(double pixels) const { return 1 - pixels / canvas.height; }
  std::string at(double x, double y) const { return fmt::format("screen {:.6f}, screen {:.6f}", across(x), up(y)); }
};

std::string text_at(const Place& place, double x, double y, std::string_view text, const char* how,
                    const char* colour = "#000000") {
  return fmt::format("set label {} at {} {} noenhanced front textcolor rgb '{}'\n", gnuplot_quoted(text),
                     place.at(x, y), how, colour);
}

std::string box(const Place& place, std::array<double, 4> corners, const char* colour) {
  return fmt::format("set object rectangle from {} to {} behind fillcolor rgb '{}' fillstyle solid noborder\n",
                     place.at(corners[0], corners[1]), place.at(corners[2], corners[3]), colour);
}

// Notes.

struct Note {
  double x, width;
  std::string text;
  const char* colour;
};

std::vector<Note> notes_of_row(const BarChart& chart, size_t row, double widest) {
  std::vector<Note> notes;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    const BarSeries& series = chart.series[s];
    const auto value = shown(series, row);
    if (!value || row >= series.notes.size() || series.notes[row].empty()) continue;
    const std::string text = fitted(series.notes[row], widest);
    notes.push_back({*value, text_width(text), in_order(text), s == 0 ? kBarText : mark_of(s).colour});
  }
  return notes;
}

double rightmost_mark(const BarChart& chart, size_t row) {
  double rightmost = 0;
  for (const BarSeries& series : chart.series) rightmost = std::max(rightmost, shown(series, row).value_or(0));
  return rightmost;
}

double widest_note(const BarChart& chart, double available) {
  const auto with_notes = std::count_if(chart.series.begin(), chart.series.end(),
                                        [](const BarSeries& series) { return !series.notes.empty(); });
  return std::min(kWidestNote,
                  kMostForNotes * available / static_cast<double>(std::max<std::ptrdiff_t>(1, with_notes)));
}

// How wide the field may be, so that notes end before the picture does even where each stands right of all marks.
double field_width(const BarChart& chart, size_t rows, double available, const Place& place) {
  double width = available;
  for (size_t row = 0; row < rows; ++row) {
    double notes = 0;
    for (const Note& note : notes_of_row(chart, row, place.widest_note)) notes += note.width + kGap;
    const double part = rightmost_mark(chart, row) / place.end;
    if (notes > 0 && part > 0) width = std::min(width, (available - notes - 2 * kMarkRadius) / part);
  }
  return width;
}

using Stretch = std::array<double, 2>;  // from where to where something stands

const Stretch* in_the_way(const std::vector<Stretch>& taken, double x, double width) {
  for (const Stretch& stretch : taken)
    if (x < stretch[1] && x + width > stretch[0]) return &stretch;
  return nullptr;
}

// Where a note of this mark begins: right of it, else left of it, else behind all that stands to its right.
double free_place(const Place& place, const std::vector<Stretch>& taken, double mark, double width) {
  const double right = mark + kMarkRadius + kGap / 2, left = mark - kMarkRadius - kGap / 2 - width;
  if (in_the_way(taken, right, width) == nullptr) return right;
  if (left > place.left && in_the_way(taken, left, width) == nullptr) return left;
  double x = right;
  while (const Stretch* stretch = in_the_way(taken, x, width)) x = (*stretch)[1] + kGap / 2;
  return x;
}

// Notes beside their marks, on nothing else.
std::string draw_notes(const BarChart& chart, const Place& place, size_t row) {
  std::vector<Stretch> taken;
  for (size_t s = 0; s < chart.series.size(); ++s)
    if (const auto value = shown(chart.series[s], row))
      taken.push_back(
          {s == 0 ? place.left : place.x(*value) - kMarkRadius, place.x(*value) + (s == 0 ? 0 : kMarkRadius)});
  std::string script;
  for (const Note& note : notes_of_row(chart, row, place.widest_note)) {
    const double x = free_place(place, taken, place.x(note.x), note.width);
    taken.push_back({x, x + note.width});
    script += text_at(place, x, place.y(row), note.text, "left", note.colour);
  }
  return script;
}

// The legend: a mark and a name for each series, in as many lines as they take.

struct Entry {
  double x, line;
  std::string name;
};

std::vector<Entry> lay_out_entries(const BarChart& chart, double width) {
  std::vector<Entry> entries;
  if (chart.series.size() < 2) return entries;
  double x = kEdge, line = 0;
  constexpr double kBeforeName = 2 * kMarkRadius + 0.75 * kGap;
  for (const BarSeries& series : chart.series) {
    const std::string name = fitted(series.name, width - 2 * kEdge - kBeforeName);
    const double entry = kBeforeName + text_width(name);
    if (x > kEdge && x + entry > width - kEdge) {
      x = kEdge;
      line += 1;
    }
    entries.push_back({x, line, name});
    x += entry + 2.5 * kGap;
  }
  return entries;
}

std::string draw_entries(const std::vector<Entry>& entries, const Place& place, double top) {
  std::string script;
  for (size_t s = 0; s < entries.size(); ++s) {
    const double y = top + kLine * (entries[s].line + 0.5), x = entries[s].x + kMarkRadius;
    if (s == 0)
      script += box(place, {x - kMarkRadius, y - kMarkRadius, x + kMarkRadius, y + kMarkRadius}, kBarColour);
    else
      script += fmt::format("set label '' at {} point pointtype {} pointsize 0.8 linecolor rgb '{}' linewidth 2\n",
                            place.at(x, y), mark_of(s).point, mark_of(s).colour);
    script += text_at(place, x + kMarkRadius + 0.75 * kGap, y, entries[s].name, "left");
  }
  return script;
}

// Rows.

double widest_label(const BarChart& chart, size_t rows) {
  double widest = 0;
  for (size_t row = 0; row < rows; ++row) widest = std::max(widest, text_width(chart.labels[row]));
  return widest;
}

double title_lines(const Canvas& canvas) {
  return canvas.title ? 1 : 0;
}

Place lay_out(const BarChart& chart, Canvas canvas, size_t rows, double legend_lines) {
  const double width = canvas.width, labels = std::min(widest_label(chart, rows), kMostForLabels * width);
  Place place;
  place.widest_label = labels;
  const double largest = largest_value(chart);
  place.end = largest >= kSmallestShown ? largest * 1.02 : 1;
  place.left = kEdge + labels + kGap;
  const double available = width - 2 * kEdge - place.left;
  place.widest_note = widest_note(chart, available);
  place.right = place.left + field_width(chart, rows, available, place);
  place.row_height = std::max(kLeastField / static_cast<double>(rows),
                              std::clamp(kPage / static_cast<double>(rows), kLowestRow, kHighestRow));
  place.top = kEdge + kLine * (title_lines(canvas) + legend_lines) + kGap + (rows >= kSecondAxisFrom ? kAxis : 0);
  place.bottom = place.top + place.row_height * static_cast<double>(rows);
  const double left_out = rows < chart.labels.size() ? kLine : 0;
  canvas.height = static_cast<int>(place.bottom + kAxis + kAxisLabel + left_out + kEdge);
  place.canvas = canvas;
  return place;
}

std::string axes(const BarChart& chart, const Place& place, size_t rows) {
  std::string script = fmt::format(
      "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset tmargin at screen {:.6f}\nset bmargin at screen "
      "{:.6f}\nset xrange [0:{}]\nset yrange [{}:-0.5]\nunset key\nunset ytics\nset border {} linecolor '#444444'\n"
      "set xtics nomirror out scale 0.4\nset grid xtics linecolor '#dddddd' linetype 1\nset style fill solid "
      "noborder\n",
      place.across(place.left), place.across(place.right), place.up(place.top), place.up(place.bottom), place.end,
      static_cast<double>(rows) - 0.5, rows >= kSecondAxisFrom ? 7 : 3);
  if (rows >= kSecondAxisFrom) script += fmt::format("set x2range [0:{}]\nset x2tics out scale 0.4\n", place.end);
  return script + text_at(place, (place.left + place.right) / 2, place.bottom + kAxis + kAxisLabel / 2,
                          fitted(chart.value_label, place.canvas.width - 2 * kEdge), "center");
}

std::string draw_rows(const BarChart& chart, const Place& place, size_t rows) {
  std::string script;
  for (size_t row = 0; row < rows; ++row) {
    const double y = place.y(row), half = place.row_height / 2;
    if (row % 2 == 1) script += box(place, {kEdge, y - half, place.canvas.width - kEdge, y + half}, "#f5f5f5");
    const std::string label = fitted(chart.labels[row], place.widest_label);
    script += text_at(place, place.left - kGap, y, in_order(label), "right");
    script += draw_notes(chart, place, row);
  }
  if (rows < chart.labels.size())
    script += text_at(place, kEdge, place.canvas.height - kEdge,
                      fmt::format("{} more rows are not drawn", chart.labels.size() - rows), "left");
  return script;
}

std::string data_blocks(const BarChart& chart, size_t rows) {
  std::string data;
  for (size_t s = 0; s < chart.series.size(); ++s) {
    data += fmt::format("$series{} << EOD\n", s);
    for (size_t row = 0; row < rows; ++row)
      if (const auto value = shown(chart.series[s], row)) data += fmt::format("{} {}\n", *value, row);
    data += "EOD\n";
  }
  return data;
}

bool has_marks(const BarSeries& series, size_t rows) {
  for (size_t row = 0; row < rows; ++row)
    if (shown(series, row)) return true;
  return false;
}

// gnuplot stops at a block without a point, so only others are named.
std::string plot(const BarChart& chart, const Place& place, size_t rows) {
  const double half_bar = std::min(0.32, kThickestBar / 2 / place.row_height);
  std::string command = "plot NaN";
  for (size_t s = 0; s < chart.series.size(); ++s) {
    if (!has_marks(chart.series[s], rows)) continue;
    const std::string block = fmt::format(", $series{} using 1:2", s);
    command +=
        s == 0 ? block + fmt::format(":(0):1:($2-{0}):($2+{0}) with boxxyerror linecolor '{1}'", half_bar, kBarColour)
               : block + fmt::format(" with points pointtype {} pointsize 0.8 linecolor '{}' linewidth 2",
                                     mark_of(s).point, mark_of(s).colour);
  }
  return command;
}

}  // namespace

void write_bar_chart(const BarChart& chart, const Canvas& given) {
  if (is_tikz(given)) return write_tikz(chart, given);
  const Canvas canvas = given.sized(760, 520);
  const size_t rows = std::min(chart.labels.size(), kMostRows);
  if (rows == 0) return draw_nothing(canvas, chart.title);
  const auto entries = lay_out_entries(chart, canvas.width);
  const Place place = lay_out(chart, canvas, rows, entries.empty() ? 0 : entries.back().line + 1);
  const std::string title = canvas.title ? text_at(place, canvas.width / 2.0, kEdge + kLine / 2,
                                                   fitted(chart.title, canvas.width - 2 * kEdge), "center")
                                         : "";
  run_gnuplot(place.canvas, title + draw_entries(entries, place, kEdge + title_lines(canvas) * kLine) +
                                axes(chart, place, rows) + draw_rows(chart, place, rows) + data_blocks(chart, rows) +
                                plot(chart, place, rows));
}

}  // namespace wordsway
