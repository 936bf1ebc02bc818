#include "options/names.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway::app {
namespace {

std::string described(const std::vector<std::string>& names) {
  return fmt::format("{{{}}}", fmt::join(names, ","));
}

}  // namespace

CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names) {
  const auto refusal = [=](std::string& text) {
    return std::ranges::find(names, text) != names.end() ? std::string() : unknown_name(kind, text, names);
  };
  return {refusal, described(names)};
}

CLI::Validator such_as(const std::vector<std::string>& names) {
  return CLI::Validator(described(names));
}

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

}  // namespace wordsway::app
