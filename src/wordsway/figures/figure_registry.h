// The figures that `wordsway reproduce` makes: one file each in figures/, found by the build like maps.
#pragma once

#include <functional>

#include "wordsway/core/registry.h"
#include "wordsway/figures/line_chart.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {

/// How much work: a check of everything, a laptop's minutes, or the paper's sizes.
enum class Profile { kQuick, kDefault, kFull };

/// Throws UsageError on another name than quick, default, full.
Profile parse_profile(const std::string& name);

struct FigureEntry {
  std::string title;
  std::string statement;  // what the paper says, and where
  std::string caption;    // what to see
  /// The measurements; their data source is set by the caller when it is empty.
  std::function<MeasureConfig(Profile)> grid;
  std::function<LineChart(const std::vector<Record>& rows, const std::vector<Record>& fits)> chart;
};

using FigureRegistry = Registry<FigureEntry>;
const FigureRegistry& figure_registry();

/// One series for each curve: rows that agree in `by` (map, d, ...), means and deviations over trials against n.
std::vector<Series> curves_against_n(const std::vector<Record>& rows, const std::vector<std::string>& by);

}  // namespace wordsway
