#include "options/lists.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway::app {
namespace {

template <typename T>
T parse_entry(const std::string& entry, const std::string& flag, const char* kind) {
  T value{};
  const char* const end = entry.data() + entry.size();
  const auto [stop, error] = std::from_chars(entry.data(), end, value);
  if (error != std::errc() || stop != end) throw UsageError(fmt::format("{}: '{}' is not {}", flag, entry, kind));
  return value;
}

}  // namespace

std::vector<std::string> parse_names(const std::string& text, const std::string& flag) {
  std::vector<std::string> entries;
  size_t begin = 0;
  while (true) {
    const size_t comma = text.find(',', begin);
    entries.push_back(text.substr(begin, comma - begin));
    if (entries.back().empty()) throw UsageError(fmt::format("{}: '{}' has an empty entry", flag, text));
    if (comma == std::string::npos) return entries;
    begin = comma + 1;
  }
}

std::vector<Index> parse_sizes(const std::string& text, const std::string& flag) {
  std::vector<Index> sizes;
  for (const std::string& entry : parse_names(text, flag))
    sizes.push_back(parse_entry<Index>(entry, flag, "a whole number"));
  return sizes;
}

std::vector<double> parse_numbers(const std::string& text, const std::string& flag) {
  std::vector<double> numbers;
  for (const std::string& entry : parse_names(text, flag)) {
    numbers.push_back(parse_entry<double>(entry, flag, "a number"));
    if (!std::isfinite(numbers.back())) throw UsageError(fmt::format("{}: '{}' is not finite", flag, entry));
  }
  return numbers;
}

}  // namespace wordsway::app
