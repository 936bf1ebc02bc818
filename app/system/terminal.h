// How wide the terminal is, and how texts fit into it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wordsway::app {

/// Lines longer than this many characters are hard to read, however wide the window is.
inline constexpr int kWidestLine = 100;

/// Columns of the terminal behind a descriptor: what the terminal says, else $COLUMNS, else 80; at most kWidestLine.
int line_width(int descriptor);

/// Characters, not bytes.
size_t width_of(std::string_view text);

/// The lines of a text, at most `width` characters each: broken at spaces, and at its own line breaks; a word that is
/// longer than a line is cut. At least one line.
std::vector<std::string> wrapped(std::string_view text, size_t width);

/// Two texts in columns beside each other, each wrapped, within `width` characters.
std::string side_by_side(std::string_view left, std::string_view right, size_t width);

}  // namespace wordsway::app
