#include "output/progress_line.h"

#include <algorithm>

#include <fmt/format.h>

#include "system/terminal.h"

namespace wordsway::app {
namespace {

constexpr size_t kWidestBar = 30, kNarrowestBar = 6, kFrame = 3;  // [, ] and a space
constexpr size_t kShortestText = 8;                               // less says nothing

bool begins_character(char c) {
  return (c & 0xc0) != 0x80;
}

// At most `width` characters, the last of them an ellipsis where some are missing.
std::string cut(const std::string& text, size_t width) {
  if (width_of(text) <= width) return text;
  if (width == 0) return "";
  size_t end = 0, kept = 0;
  while (kept < width || !begins_character(text[end])) {
    if (begins_character(text[end]) && ++kept == width) break;
    ++end;
  }
  return text.substr(0, end) + "…";
}

std::string bar(double share, size_t width) {
  const double within = share > 0 ? std::min(share, 1.0) : 0;  // nan is 0, too
  return fmt::format("[{:<{}}] ", std::string(static_cast<size_t>(within * static_cast<double>(width)), '#'), width);
}

}  // namespace

std::string progress_line(double share, const std::string& text, const std::string& left, int width) {
  const size_t room = width > 1 ? static_cast<size_t>(width) - 1 : 0;
  const std::string end = fmt::format(", {} left", left);
  if (width_of(end) + kShortestText > room) return cut(text, room);
  std::string shown = cut(text, room - width_of(end)) + end;
  const size_t free = room - width_of(shown);
  if (free < kNarrowestBar + kFrame) return shown;
  return bar(share, std::min(kWidestBar, free - kFrame)) + shown;
}

}  // namespace wordsway::app
