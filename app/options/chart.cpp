#include "options/chart.h"

#include <charconv>
#include <filesystem>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/names.h"
#include "system/process.h"
#include "wordsway/draw/print_svg.h"
#include "wordsway/io/output_paths.h"

namespace wordsway::app {
namespace {

constexpr int kSmallest = 100, kLargest = 10'000;  // pixels

std::optional<std::pair<int, int>> parse_size(const std::string& text) {
  int width = 0, height = 0;
  const char* const end = text.data() + text.size();
  const auto [cross, error] = std::from_chars(text.data(), end, width);
  if (error != std::errc() || cross == end || *cross != 'x') return std::nullopt;
  const auto [stop, more] = std::from_chars(cross + 1, end, height);
  const auto fits = [](int pixels) { return pixels >= kSmallest && pixels <= kLargest; };
  if (more != std::errc() || stop != end || !fits(width) || !fits(height)) return std::nullopt;
  return std::pair(width, height);
}

std::string check_ending(const std::string& name) {
  const std::string ending = std::filesystem::path(name).extension().string();
  const bool known = name.empty() || ending == ".svg" || ending == ".pdf" || ending == ".png" || ending == ".tex";
  if (!known) return fmt::format("a chart is written as .svg, .pdf, .png or .tex; got '{}'", name);
  return (ending == ".pdf" || ending == ".png") && !can_print() ? kCannotPrint : "";
}

}  // namespace

Canvas ChartOptions::canvas() const {
  const auto [width, height] = parse_size(size).value_or(std::pair(0, 0));
  return {.path = path, .width = width, .height = height, .title = !no_title};
}

void add_chart_option(CLI::App& command, ChartOptions& options, const std::string& description) {
  command.add_option("--chart", options.path, description)->check([](const std::string& name) {
    if (!name.empty() && is_first_process()) check_output_file(name);
    return check_ending(name);
  });
  command
      .add_option("--chart-size", options.size,
                  "Width and height of the chart in pixels, as in 560x400 (default: what suits it; some charts are as "
                  "high as their rows)")
      ->check([](const std::string& text) {
        return parse_size(text) ? std::string()
                                : fmt::format("a size is two numbers of {} to {}, as in 560x400; got '{}'", kSmallest,
                                              kLargest, text);
      });
  command.add_flag("--no-title", options.no_title, "Draw the chart without its title, as papers want it");
}

void add_bands_option(CLI::App& command, std::string& bands) {
  command
      .add_option("--bands", bands,
                  "What bands around means show: deviation (one standard deviation of the trials), error (one standard "
                  "error of the mean) or interval (its 95% interval)")
      ->check(one_of("bands", {"deviation", "error", "interval"}))
      ->capture_default_str();
}

}  // namespace wordsway::app
