#include "options/byte_size.h"

#include <charconv>
#include <cmath>

#include <unistd.h>

#include "wordsway/core/error.h"

namespace wordsway::app {

double parse_bytes(const std::string& text, const std::string& flag) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  std::string unit(stop, end);
  if (unit.ends_with("iB")) unit.resize(unit.size() - 2);
  if (unit.ends_with("B")) unit.resize(unit.size() - 1);
  const size_t power = unit.empty() ? 0 : std::string("KMGT").find(unit) + 1;
  if (error != std::errc() || !(value > 0) || !std::isfinite(value) || unit.size() > 1 || (power == 0 && !unit.empty()))
    throw UsageError(flag + ": '" + text + "' is not an amount of memory such as 800M or 4G");
  return value * std::pow(1024.0, static_cast<double>(power));
}

double default_memory() {
  return 0.5 * static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
}

}  // namespace wordsway::app
