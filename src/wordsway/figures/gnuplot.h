// The one place that talks to gnuplot.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace wordsway {

// Texts in gnuplot scripts: whatever they hold, they are shown and never interpreted.

/// Texts wider than this many letters are cut, with an ellipsis at the end. Ideographs are as wide as two.
inline constexpr size_t kWidestTitle = 120, kWidestLabel = 48;

/// A title or label, quoted. Bytes that are not UTF-8 and characters that no SVG may hold become U+FFFD, line breaks
/// become spaces. Give it `noenhanced`, or gnuplot sets x_1 with an index.
std::string gnuplot_quoted(std::string_view text, size_t widest = kWidestTitle);

/// A label and its place for `set xtics (…)`; there labels are formats, in which % means something.
std::string gnuplot_tic(std::string_view label, double position);

/// How a picture is written, decided by the file's ending: .svg, .pdf or .png.
struct Canvas {
  std::filesystem::path path;
  int width = 760, height = 520;  // pixels
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

/// What charts can show: gnuplot's own arithmetic fails close to the ends of what a double holds. Larger values are
/// left out, smaller ones are 0.
inline constexpr double kSmallestShown = 1e-290, kLargestShown = 1e290;

/// True for numbers that are finite and not too large for a chart.
bool is_shown(double value);

}  // namespace wordsway
