// SVG pictures made fit to stand in a page, many of them in one.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "wordsway/figures/page/chart_colours.h"

namespace wordsway {

struct InlineSvg {
  std::string markup;            // one <svg> element
  double width = 0, height = 0;  // of its viewBox
  std::set<Rgb> colours;         // that the page may change
};

/// `document` as an element of a page: no prologue, no fixed size, every id and every reference to one begins with
/// `prefix`, read out as a picture called `title`. The first <rect> that covers the whole picture, gnuplot's
/// background, gets the class "paper", so that the page decides what is behind the picture. Throws DataError when the
/// document is no SVG with a viewBox or a size, has a script, or refers to something outside itself.
InlineSvg inline_svg(const std::string& document, const std::string& prefix, const std::string& title);

/// The same for a file. Throws FileError when it cannot be read, or is refused as above.
InlineSvg read_inline_svg(const std::filesystem::path& path, const std::string& prefix, const std::string& title);

}  // namespace wordsway
