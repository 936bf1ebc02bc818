// SVG pictures made fit to stand in a page, many of them in one.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace wordsway {

// Colours of charts, drawn for white paper, on a dark page.

using Rgb = std::array<int, 3>;  // 0 to 255

/// Reads "#rrggbb", "rgb(r, g, b)" and "black"; nothing for any other text.
std::optional<Rgb> parse_colour(std::string_view text);

/// Greys trade light for dark; colours too dark for the page are mixed with white until they stand out.
Rgb on_dark_page(const Rgb& colour);

/// "rrggbb"
std::string hexadecimal(const Rgb& colour);

/// (lighter + 0.05)/(darker + 0.05) of the two luminances, as the accessibility guidelines of the W3C define it.
double contrast(const Rgb& a, const Rgb& b);

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
