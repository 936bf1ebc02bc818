// The one place that talks to gnuplot.
#pragma once

#include <filesystem>
#include <string>

#include "wordsway/figures/gnuplot_text.h"

namespace wordsway {

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
