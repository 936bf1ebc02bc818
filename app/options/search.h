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
  int starts = 4;
  int steps = 500;
  double tolerance = 1e-7;

  SensitivityOptions sensitivity() const { return {.starts = starts, .max_iterations = steps, .tolerance = tolerance}; }
};

void add_search_options(CLI::App& command, SearchOptions& options);

}  // namespace wordsway::app
