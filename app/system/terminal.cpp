#include "system/terminal.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>

namespace wordsway::app {
namespace {

// Returns 0 if the variable is not set or is not a number.
int width_from_environment() {
  const char* columns = std::getenv("COLUMNS");
  if (columns == nullptr) return 0;
  const std::string_view text(columns);
  int width = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  return error == std::errc() && stop == text.data() + text.size() ? width : 0;
}

}  // namespace

int line_width(int descriptor) {
  constexpr int kUsualWidth = 80;
  struct winsize size {};
  int width = ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (width <= 0) width = width_from_environment();
  return width > 0 ? std::min(width, kWidestLine) : kUsualWidth;
}

}  // namespace wordsway::app
