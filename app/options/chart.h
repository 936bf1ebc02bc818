// The options for pictures: --chart and its companions.
#pragma once

#include <string>

#include "options/common.h"
#include "wordsway/ask/fields.h"
#include "wordsway/draw/chart.h"
#include "wordsway/figures/bands.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct ChartOptions {
  std::string path, size;
  bool no_title = false;
  std::string bands = "deviation";

  bool empty() const { return path.empty(); }
  /// Sizes are 0 unless given.
  Canvas canvas() const;
};

/// Adds --chart, --chart-size and --no-title. Throws UsageError if the name does not end in .svg, .pdf, .png or .tex or
/// this build cannot write that, and FileError if the file cannot be written.
void add_chart_option(CLI::App& command, ChartOptions& options, const std::string& description);

/// Adds --bands, for charts of means.
void add_bands_option(CLI::App& command, std::string& bands);

/// The option as a field, for programs that draw several charts.
template <typename Request>
void describe_bands(Fields<Request>& fields, std::string Request::*bands) {
  fields
      .choice(
          "bands", bands, {"deviation", "error", "interval"},
          "What bands around means show: deviation (one standard deviation of the trials), error (one standard error "
          "of the mean) or interval (its 95% interval)")
      .role(FieldRole::kDisplay);
}

}  // namespace wordsway::app
