// The settings of a search over Δ: seed, trials, starts, steps, tolerance, and how far a token moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "wordsway/ask/fields.h"
#include "wordsway/audit/token_move.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {

/// Squares of numbers up to this one are finite, and so are their sums over any data that fits in memory.
inline constexpr double kLargestRadius = 1e100;

struct SeedChoice {
  std::uint64_t seed = 1;

  static void describe(Fields<SeedChoice>& fields,
                       const std::string& help = "The same seed gives the same numbers, with any number of threads");
};

struct SearchChoice {
  SeedChoice seed;
  std::optional<Index> trials;  // 10 by default
  std::optional<int> starts;    // chosen by the map unless given, as is the tolerance
  int steps = 500;
  std::optional<double> tolerance;

  /// The defaults as the help words them.
  struct Defaults {
    std::string trials = "10";  // empty if there is nothing to repeat; the help then omits it
    std::string starts = "4; 8 for a model, 2 for wide deferred features";
    std::string tolerance = "1e-7; 1e-4 for a model, 2e-4 and more for deferred features, by size and depth";
  };
  static void describe(Fields<SearchChoice>& fields, const Defaults& defaults);
  static void describe(Fields<SearchChoice>& fields) { describe(fields, Defaults()); }

  SensitivityOptions options() const { return {.starts = starts, .max_iterations = steps, .tolerance = tolerance}; }
};

struct RadiusChoice {
  double radius = 1;
  std::string radius_unit = "sqrt-d";

  static void describe(Fields<RadiusChoice>& fields);

  Radius value() const { return {radius, parse_radius_unit(radius_unit)}; }
};

}  // namespace wordsway
