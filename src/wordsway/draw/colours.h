// Colours of charts: one palette for light paper, and what becomes of each colour on a dark page.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace wordsway {

using Rgb = std::array<int, 3>;  // 0 to 255

/// Reads "#rrggbb"; nothing for any other text.
std::optional<Rgb> parse_colour(std::string_view text);

/// "#rrggbb"
std::string hexadecimal(const Rgb& colour);

/// The colour on the dark page: greys trade light for dark, and colours too dark to be seen are mixed with white.
Rgb on_dark_page(const Rgb& colour);

/// (lighter + 0.05)/(darker + 0.05) of the two luminances, as the accessibility guidelines of the W3C define it.
double contrast(const Rgb& a, const Rgb& b);

/// Colour number `index` of `count`, from one sequential map that colour-blind people can read (viridis, without its
/// palest end).
std::string palette_colour(size_t index, size_t count);

/// The colour of a cell with this share (0 to 1) of the largest value: viridis, from dark for nothing to bright for
/// everything.
std::string cell_colour(double share);

}  // namespace wordsway
