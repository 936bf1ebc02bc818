// Texts in gnuplot scripts: whatever they hold, they are shown and never interpreted.
#pragma once

#include <string>
#include <string_view>

namespace wordsway {

/// Texts wider than this many letters are cut, with an ellipsis at the end. Ideographs are as wide as two.
inline constexpr size_t kWidestTitle = 120, kWidestLabel = 48;

/// A title or label, quoted. Bytes that are not UTF-8 and characters that no SVG may hold become U+FFFD, line breaks
/// become spaces. Give it `noenhanced`, or gnuplot sets x_1 with an index.
std::string gnuplot_quoted(std::string_view text, size_t widest = kWidestTitle);

/// A label and its place for `set xtics (…)`; there labels are formats, in which % means something.
std::string gnuplot_tic(std::string_view label, double position);

}  // namespace wordsway
