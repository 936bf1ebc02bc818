#include "output/durations.h"

#include <cmath>

#include <fmt/format.h>

namespace wordsway::app {

std::string format_duration(double seconds) {
  if (seconds < 9.5) return fmt::format("{:.2g} s", seconds);
  // Beyond this nobody counts seconds, and a long would overflow.
  constexpr double kTooLong = 1e12;
  if (seconds > kTooLong) return fmt::format("{:.2g} years", seconds / (365.25 * 86400));
  const long whole = std::lround(seconds);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace wordsway::app
