// How wide the terminal is.
#pragma once

namespace wordsway::app {

/// Lines longer than this many characters are hard to read, however wide the window is.
inline constexpr int kWidestLine = 100;

/// Columns of the terminal behind a descriptor: what the terminal says, else $COLUMNS, else 80; at most kWidestLine.
int line_width(int descriptor);

}  // namespace wordsway::app
