// Charts as SVG. The same chart always gives the same bytes.
#pragma once

#include <set>
#include <string>

#include "wordsway/draw/chart.h"

namespace wordsway {

enum class SvgUse {
  kFile,   // a picture by itself, or in a notebook: follows light and dark pages by a style of its own
  kPage,   // within a page that has page_chart_style() and decides how large the picture is
  kPrint,  // on white paper
};

struct SvgPicture {
  std::string markup;             // one <svg> element, with a <title> for those who do not see it
  int width = 0, height = 0;      // of its viewBox
  std::set<std::string> colours;  // "#rrggbb", of which page_chart_style() needs to know
};

/// Elements have no ids, and all their classes begin with "ww-", so any number of pictures can stand in a page.
SvgPicture draw_svg(const Chart& chart, SvgUse use, bool with_title = true);

/// Style of a page with pictures of these colours: neutral colours are the page's own --ink, --soft, --line and --tint,
/// the others change on dark screens.
std::string page_chart_style(const std::set<std::string>& colours);

}  // namespace wordsway
