// Options of everything that searches over Δ: seed, trials, starts, steps, tolerance.
#pragma once

#include <cstdint>
#include <optional>

#include "wordsway/sensitivity/sensitivity.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct SearchOptions {
  std::uint64_t seed = 1;
  std::optional<Index> trials;  // 10 unless something else decides
  std::optional<int> starts;    // the map's own choice unless given, like the tolerance
  int steps = 500;
  std::optional<double> tolerance;

  SensitivityOptions sensitivity() const { return {.starts = starts, .max_iterations = steps, .tolerance = tolerance}; }
};

void add_search_options(CLI::App& command, SearchOptions& options);

}  // namespace wordsway::app
