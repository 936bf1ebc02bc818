// Options that say how far a token moves in a model's embedding space.
#pragma once

#include <string>

#include "wordsway/study/token_move.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct RadiusOptions {
  double radius = 1;
  std::string unit = "sqrt-d";

  double of(ConstRowFRef row) const { return radius_in(parse_radius_unit(unit), radius, row); }
};

/// Adds --radius and --radius-unit.
void add_radius_options(CLI::App& command, RadiusOptions& options);
/// Adds --radius-unit alone.
void add_radius_unit_option(CLI::App& command, RadiusOptions& options);

}  // namespace wordsway::app
