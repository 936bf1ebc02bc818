#include "options/radius.h"

#include <CLI/CLI.hpp>

#include "options/numbers.h"

namespace wordsway::app {

void add_radius_unit_option(CLI::App& command, RadiusOptions& options) {
  command.add_option("--radius-unit", options.unit, "What the radius is measured in: sqrt-d, token-norm or abs")
      ->check(CLI::IsMember({"sqrt-d", "token-norm", "abs"}))
      ->capture_default_str();
}

void add_radius_options(CLI::App& command, RadiusOptions& options) {
  add_radius_option(command, options.radius, "How far the token moves, in the unit of --radius-unit");
  add_radius_unit_option(command, options);
}

}  // namespace wordsway::app
