// Colours of charts, drawn for white paper, on a dark page.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace wordsway {

using Rgb = std::array<int, 3>;  // 0 to 255

/// Reads "#rrggbb", "rgb(r, g, b)" and "black"; nothing for any other text.
std::optional<Rgb> parse_colour(std::string_view text);

/// Greys trade light for dark; colours too dark for the page are mixed with white until they stand out.
Rgb on_dark_page(const Rgb& colour);

/// "rrggbb"
std::string hexadecimal(const Rgb& colour);

/// (lighter + 0.05)/(darker + 0.05) of the two luminances, as the accessibility guidelines of the W3C define it.
double contrast(const Rgb& a, const Rgb& b);

}  // namespace wordsway
