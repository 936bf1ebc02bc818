// Options of everything that searches over Δ: seed, trials, starts, steps, tolerance, and how far a token moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wordsway/audit/token_move.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace CLI {
class App;
}

namespace wordsway::app {

// Options of everything that searches over Δ: seed, trials, starts, steps, tolerance.

struct SearchOptions {
  std::uint64_t seed = 1;
  std::optional<Index> trials;  // 10 unless something else decides
  std::optional<int> starts;    // the map's own choice unless given, like the tolerance
  int steps = 500;
  std::optional<double> tolerance;

  SensitivityOptions sensitivity() const { return {.starts = starts, .max_iterations = steps, .tolerance = tolerance}; }
};

/// What the help says about the values that are taken where none is given.
struct SearchDefaults {
  std::string trials = "10";  // empty: there is nothing to repeat, and the help does not name --trials
  std::string starts = "4; 8 for a model, 2 for wide deferred features";
  std::string tolerance = "1e-7; 1e-4 for a model, 2e-4 and more for deferred features, by size and depth";
};

/// Adds --seed, --trials, --starts, --steps and --tolerance.
void add_search_options(CLI::App& command, SearchOptions& options, const SearchDefaults& defaults = {});

// Options that say how far a token moves in a model's embedding space.

struct RadiusOptions {
  double value = 1;
  std::string unit = "sqrt-d";

  Radius radius() const { return {value, parse_radius_unit(unit)}; }
};

/// Adds --radius and --radius-unit.
void add_radius_options(CLI::App& command, RadiusOptions& options);
/// Adds --radius-unit alone.
void add_radius_unit_option(CLI::App& command, RadiusOptions& options);

}  // namespace wordsway::app
