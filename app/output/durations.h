// Times for people.
#pragma once

#include <string>

namespace wordsway::app {

/// "0.4 s", "12 s", "3:05", "2:00:09".
std::string format_duration(double seconds);

}  // namespace wordsway::app
