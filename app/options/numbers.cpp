#include "options/numbers.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway::app {

namespace {

// Of the whole text, or nothing.
template <typename Number>
std::optional<Number> parse(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// As people write it: 1e100, not 1e+100.
template <typename Number>
std::string written(Number value) {
  std::string text = fmt::format("{}", value);
  std::erase(text, '+');
  return text;
}

template <typename Number>
Check between(Number least, Number most, const std::string& what) {
  return [=](const std::string& text) {
    const std::optional<Number> value = parse<Number>(text);
    if (value && *value >= least && *value <= most) return std::string();  // nan is neither
    return fmt::format("{} must lie between {} and {}, but is '{}'", what, written(least), written(most), text);
  };
}

std::string refusal_of(const std::string& text, const std::string& kind, const std::vector<std::string>& names) {
  const bool known = std::find(names.begin(), names.end(), text) != names.end();
  return known ? std::string() : unknown_name(kind, text, names);
}

std::string described(const std::vector<std::string>& names) {
  return fmt::format("{{{}}}", fmt::join(names, ","));
}

}  // namespace

Check number_between(double least, double most, const std::string& what) {
  return between(least, most, what);
}

Check finite_number(const std::string& what) {
  return [=](const std::string& text) {
    const std::optional<double> value = parse<double>(text);
    return value && std::isfinite(*value) ? std::string()
                                          : fmt::format("{} must be a finite number, but is '{}'", what, text);
  };
}

Check whole_number_between(std::int64_t least, std::int64_t most, const std::string& what) {
  return between(least, most, what);
}

CLI::Validator one_of(const std::string& kind, const std::vector<std::string>& names) {
  return {[=](std::string& text) { return refusal_of(text, kind, names); }, described(names)};
}

CLI::Validator some_of(const std::string& kind, const std::vector<std::string>& names) {
  const auto check = [=](std::string& text) {
    size_t begin = 0;
    while (true) {
      const size_t comma = text.find(',', begin);
      std::string wrong = refusal_of(text.substr(begin, comma - begin), kind, names);
      if (!wrong.empty() || comma == std::string::npos) return wrong;
      begin = comma + 1;
    }
  };
  return {check, described(names)};
}

CLI::Validator such_as(const std::vector<std::string>& names) {
  return CLI::Validator(described(names));
}

void add_seed_option(CLI::App& command, std::uint64_t& seed, const std::string& description) {
  command.add_option("--seed", seed, description)
      ->check(whole_number_between(0, kLargestSeed, "the seed"))
      ->capture_default_str();
}

void add_radius_option(CLI::App& command, double& radius, const std::string& description) {
  command.add_option("--radius", radius, description)
      ->check(number_between(0, kLargestRadius, "the radius"))
      ->capture_default_str();
}

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
