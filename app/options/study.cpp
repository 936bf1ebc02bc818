#include "options/study.h"

#include <charconv>
#include <cmath>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/output_paths.h"
#include "wordsway/core/error.h"

namespace wordsway::app {

void add_study_options(CLI::App& command, StudyOptions& options) {
  add_journal_option(command, options.out,
                     "Journal, FILE.jsonl: every finished trial is written to it at once, and the same command goes on "
                     "from it after an interruption (without it: no journal)");
  command.add_flag("--dry-run", options.dry_run,
                   "Compute nothing: only say how many points and trials, and the expected time and memory");
  command.add_option_function<std::string>(
      "--memory", [&options](const std::string& text) { options.memory_limit = parse_bytes(text, "--memory"); },
      "Memory that all trials together may use on a machine, such as 8G (default: most of what it has)");
}

double parse_bytes(const std::string& text, const std::string& flag) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  std::string unit(stop, end);
  for (char& letter : unit) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  if (unit.ends_with("IB")) {
    unit.resize(unit.size() - 2);
  } else if (unit.ends_with("B")) {
    unit.pop_back();
  }
  const size_t power = unit.empty() ? 0 : std::string("KMGTP").find(unit) + 1;
  if (error != std::errc() || unit.size() > 1 || (power == 0 && !unit.empty()) || !(value > 0) || !std::isfinite(value))
    throw UsageError(fmt::format("{}: '{}' is not a size such as 500M, 8G or 1.5T", flag, text));
  return value * std::pow(1024, static_cast<double>(power));
}

}  // namespace wordsway::app
