// The one description of a chart. Whatever draws (svg.h, tikz.h) draws this; what a chart shows is decided by those who
// fill it in (figures/line_chart.h, bar_chart.h, heat_map.h).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/draw/text.h"

namespace wordsway {

/// Charts leave out values beyond the largest, and show those below the smallest as 0: arithmetic on a logarithmic axis
/// needs some room to the ends of what a double holds.
inline constexpr double kSmallestShown = 1e-290, kLargestShown = 1e290;

/// True for numbers that are finite and not too large for a chart.
bool is_shown(double value);

struct Tick {
  double at;
  Text label;
};

struct Axis {
  Text label = {};
  bool logarithmic = false;
  double low = 0, high = 1;             // low < high, and 0 < low on a logarithmic axis
  std::vector<Tick> ticks = {};         // empty: the writer chooses round numbers
  std::vector<std::string> names = {};  // of the rows (from the top) or columns 0, 1, …; then the axis has no numbers
};

enum class Line { kNone, kSolid, kDashed };
enum class Shape {
  kNone,
  kDisc,
  kSquare,
  kTriangle,
  kDiamond,
  kDownTriangle,
  kRing,
  kOpenSquare,
  kOpenDiamond,
  kCross
};

/// A point of a curve with the band around it.
struct CurvePoint {
  double x, y, low, high;
};

struct Curve {
  Text label = {};  // shown when somebody points at a mark
  std::string colour = "#444444";
  Line line = Line::kSolid;
  Shape shape = Shape::kNone;
  std::vector<CurvePoint> points = {};
  double band_opacity = 0;  // 0: no band
};

/// One value for each row of a panel whose y axis has names.
struct RowMarks {
  std::string colour, text_colour;
  Shape shape = Shape::kNone;  // none: bars, in the colour of bars
  std::vector<std::optional<double>> values = {};
  std::vector<std::string> notes = {};  // beside the marks: none at all, or one for each value
};

struct Panel {
  Text title = {};
  Axis x = {}, y = {};
  std::vector<Curve> curves = {};
  std::vector<RowMarks> marks = {};
  std::optional<double> limit = {};  // a dashed line through all rows of marks
  std::optional<Matrix> cells = {};  // row 0 on top; NaN: nothing is there
};

struct LegendEntry {
  Text label;
  std::string colour;
  Line line = Line::kNone;
  Shape shape = Shape::kNone;  // neither line nor shape: a box in the colour of bars
};

enum class LegendPlace { kAbove, kBelow, kBeside };

struct Chart {
  Text title = {};
  std::vector<Panel> panels = {};  // row by row; none: the chart says that there is nothing to draw
  size_t columns = 1;              // of panels
  std::vector<LegendEntry> legend = {};
  LegendPlace legend_place = LegendPlace::kBelow;
  double largest_cell = 1;  // the end of the colour scale, which begins with 0
  Text remark = {};         // below everything
  /// Pixels without what title and legend add; a height of 0 follows from the rows.
  int width = 560, height = 400;
};

/// Where and how large a chart is drawn.
struct Canvas {
  std::filesystem::path path = {};  // .svg, .pdf, .png or .tex
  int width = 0, height = 0;        // pixels; 0: what suits the chart
  bool title = true;                // in the picture; false where a caption says it
};

/// The chart in the sizes of the canvas, where it has some.
Chart sized(Chart chart, const Canvas& canvas);

/// Round numbers for an axis, at most `most` of them, and at least two where the range allows; on logarithmic axes 1, 2
/// and 5 of every decade or, over many decades, some powers of ten.
std::vector<Tick> ticks_of(const Axis& axis, size_t most);

/// The picture in the format that the ending of canvas.path names. Throws UsageError on an ending that is none of
/// these, or that this build cannot write.
std::string picture_bytes(const Chart& chart, const Canvas& canvas);

/// Writes the picture at canvas.path, completely or not at all. Throws what picture_bytes throws, and FileError if the
/// file cannot be written.
void write_picture(const Chart& chart, const Canvas& canvas);

}  // namespace wordsway
