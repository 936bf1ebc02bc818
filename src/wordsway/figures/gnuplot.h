// The one place that talks to gnuplot.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

// Texts in gnuplot scripts: whatever they hold, they are shown and never interpreted.

/// Texts wider than this many letters are cut, with an ellipsis at the end. Ideographs are as wide as two.
inline constexpr size_t kWidestTitle = 120, kWidestLabel = 48;

/// A title or label, quoted. Bytes that are not UTF-8 and characters that no SVG may hold become U+FFFD, line breaks
/// become spaces. Give it `noenhanced`, or gnuplot sets x_1 with an index.
std::string gnuplot_quoted(std::string_view text, size_t widest = kWidestTitle);

/// A label and its place for `set xtics (…)`; there labels are formats, in which % means something.
std::string gnuplot_tic(std::string_view label, double position);

/// What the band around a curve of means shows: one standard deviation of the trials, one standard error of the mean,
/// or the mean's 95% interval (Student's t).
enum class Bands { kDeviation, kStandardError, kInterval };

/// "deviation", "error" or "interval". Throws UsageError on another name.
Bands parse_bands(const std::string& name);
/// A note that says "one standard deviation", with what the bands are in its place.
std::string with_bands(std::string note, Bands bands);

/// How a picture is written, decided by the file's ending: .svg, .pdf or .png.
struct Canvas {
  std::filesystem::path path;
  int width = 0, height = 0;  // pixels; 0: what suits the chart
  bool title = true;          // in the picture; false where a caption says it
  Bands bands = Bands::kDeviation;

  /// With these sizes where none was asked for.
  Canvas sized(int usual_width, int usual_height) const;
};

/// Runs `script` (everything but terminal and output) and puts the picture at canvas.path, complete or not at all:
/// whatever fails, a picture that was there stays as it was. Throws UsageError on another ending, FileError when
/// gnuplot is not installed, cannot be started, fails or draws half a picture, or when the file cannot be written.
void run_gnuplot(const Canvas& canvas, const std::string& script);

/// A picture with a title and the words "nothing to draw".
void draw_nothing(const Canvas& canvas, const std::string& title);

/// Colour number `index` of `count`, from one sequential map that colour-blind people can read (viridis, without its
/// palest end).
std::string palette_colour(size_t index, size_t count);

/// The colours of curves with these labels. Where every label begins with another map or model that has a colour of its
/// own, as in "raf" or "raf, n^-0.05", these, so that a map has one colour in all charts; else those of the palette.
std::vector<std::string> curve_colours(const std::vector<std::string>& labels);

/// What charts can show: gnuplot's own arithmetic fails close to the ends of what a double holds. Larger values are
/// left out, smaller ones are 0.
inline constexpr double kSmallestShown = 1e-290, kLargestShown = 1e290;

/// True for numbers that are finite and not too large for a chart.
bool is_shown(double value);

}  // namespace wordsway
