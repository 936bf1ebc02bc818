// The width of the terminal.
#pragma once

namespace wordsway::app {

/// Lines longer than this many characters are hard to read, however wide the window is.
inline constexpr int kWidestLine = 100;

/// Columns of the terminal behind a descriptor: its own answer, otherwise $COLUMNS, otherwise 80; at most kWidestLine.
int line_width(int descriptor);

}  // namespace wordsway::app
