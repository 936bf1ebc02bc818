#include "options/search.h"

#include <CLI/CLI.hpp>

#include "options/numbers.h"

namespace wordsway::app {

void add_search_options(CLI::App& command, SearchOptions& options) {
  add_seed_option(command, options.seed, "Same seed, same numbers, whatever the threads");
  command.add_option("--trials", options.trials, "Independent draws of data and weights a point (default: 10)")
      ->check(CLI::Range(1, 100'000'000));
  command
      .add_option("--starts", options.starts,
                  "Ascents a token, from different directions; the best counts (default: 4; wide deferred features: 2)")
      ->check(CLI::Range(1, 100'000));
  command.add_option("--steps", options.steps, "Most iterations of an ascent")
      ->check(CLI::Range(1, 100'000'000))
      ->capture_default_str();
  command
      .add_option(
          "--tolerance", options.tolerance,
          "Relative gain of an iteration at which an ascent stops (default: 1e-7; deferred features: 2e-4 and more, "
          "by size and depth)")
      ->check(number_between(0, 1, "the tolerance"));
}

void add_radius_unit_option(CLI::App& command, RadiusOptions& options) {
  command.add_option("--radius-unit", options.unit, "What the radius is measured in: sqrt-d, token-norm or abs")
      ->check(CLI::IsMember({"sqrt-d", "token-norm", "abs"}))
      ->capture_default_str();
}

void add_radius_options(CLI::App& command, RadiusOptions& options) {
  add_radius_option(command, options.value, "How far the token moves, in the unit of --radius-unit");
  add_radius_unit_option(command, options);
}

}  // namespace wordsway::app
