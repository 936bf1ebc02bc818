// The line of a progress bar.
#pragma once

#include <string>

namespace wordsway::app {

/// "[#####     ] text, 3:05 left" on at most `width` − 1 characters: a terminal that is filled to its last column goes
/// to the next line, where the bar could not be wiped away. Where room is short, the bar shrinks and then goes, then
/// the text is cut with an ellipsis, and last what is left goes; of a terminal of fewer than two columns nothing is
/// left. `share` is from 0 to 1; what lies outside is moved to its end.
std::string progress_line(double share, const std::string& text, const std::string& left, int width);

}  // namespace wordsway::app
