#include "options/numbers.h"

#include <charconv>
#include <cmath>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

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

}  // namespace wordsway::app
