// The one place that talks to gnuplot.
#pragma once

#include <filesystem>
#include <string>

namespace wordsway {

/// How a picture is written, decided by the file's ending: .svg, .pdf or .png.
struct Canvas {
  std::filesystem::path path;
  int width = 760, height = 520;  // pixels
};

/// Runs `script` (everything but terminal and output) and puts the picture at canvas.path, complete or not at all.
/// Throws UsageError on another ending, FileError when gnuplot is not installed, fails, or the file cannot be written.
void run_gnuplot(const Canvas& canvas, const std::string& script);

/// A text as gnuplot reads it: quoted, with nothing in it interpreted.
std::string gnuplot_quoted(const std::string& text);

/// Colour number `index` of `count`, from one sequential map that colour-blind people can read (viridis, without its
/// palest end).
std::string palette_colour(size_t index, size_t count);

}  // namespace wordsway
