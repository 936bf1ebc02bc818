// Verdicts on stdout.
#pragma once

#include <string>
#include <vector>

#include "wordsway/figures/report.h"

namespace wordsway::app {

/// All verdicts in one of the four formats: figure, statement, place, measured, threshold, holds. `table` is for
/// people.
std::string format_verdicts(const std::vector<ReportFigure>& figures, const std::string& format);

/// The verdicts that fail, in one sentence; empty when all hold.
std::string describe_failed_figures(const std::vector<ReportFigure>& figures);

}  // namespace wordsway::app
