#include "options/search.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/numbers.h"

namespace wordsway::app {

void add_search_options(CLI::App& command, SearchOptions& options, const SearchDefaults& defaults) {
  const auto with_default = [](const char* text, const std::string& value) {
    return fmt::format("{} (default: {})", text, value);
  };
  add_seed_option(command, options.seed, "The same seed gives the same numbers, with any number of threads");
  if (!defaults.trials.empty()) {
    command
        .add_option("--trials", options.trials,
                    with_default("Independent draws of data and weights for each point", defaults.trials))
        ->check(CLI::Range(1, 100'000'000));
  } else {
    command.add_option("--trials", options.trials)->group("");  // not in the help
  }
  command
      .add_option(
          "--starts", options.starts,
          with_default("Searches for each token, from different directions; the best one counts", defaults.starts))
      ->check(CLI::Range(1, 100'000));
  command.add_option("--steps", options.steps, "Most iterations of one search")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command
      .add_option("--tolerance", options.tolerance,
                  with_default("A search stops when an iteration gains less than this, relatively", defaults.tolerance))
      ->check(number_between(0, 1, "the tolerance"));
}

void add_radius_unit_option(CLI::App& command, RadiusOptions& options) {
  command.add_option("--radius-unit", options.unit, "What the radius is measured in: sqrt-d, token-norm or abs")
      ->check(one_of("unit", {"sqrt-d", "token-norm", "abs"}))
      ->capture_default_str();
}

void add_radius_options(CLI::App& command, RadiusOptions& options) {
  add_radius_option(command, options.value, "How far the token moves, in the unit of --radius-unit");
  add_radius_unit_option(command, options);
}

}  // namespace wordsway::app
