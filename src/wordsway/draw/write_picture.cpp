#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/draw/chart.h"
#include "wordsway/draw/print_svg.h"
#include "wordsway/draw/svg.h"
#include "wordsway/draw/tikz.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway {

std::string picture_bytes(const Chart& given, const Canvas& canvas) {
  const Chart chart = sized(given, canvas);
  const std::string ending = canvas.path.extension().string();
  if (ending == ".svg")
    return "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n" + draw_svg(chart, SvgUse::kFile, canvas.title).markup + "\n";
  if (ending == ".tex") return draw_tikz(chart, canvas.title);
  if (ending != ".pdf" && ending != ".png")
    throw UsageError(fmt::format("a chart is written as .svg, .pdf, .png or .tex; got '{}'", canvas.path.string()));
  const SvgPicture picture = draw_svg(chart, SvgUse::kPrint, canvas.title);
  return print_svg(picture.markup, picture.width, picture.height,
                   ending == ".pdf" ? PrintFormat::kPdf : PrintFormat::kPng);
}

void write_picture(const Chart& chart, const Canvas& canvas) {
  write_file_atomically(canvas.path, picture_bytes(chart, canvas));
}

}  // namespace wordsway
