// The charts that the rows of a journal call for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/report.h"

namespace wordsway::app {

/// Draws into `folder`, under names that begin with `name`, whatever the rows (failed ones left out) can show:
/// sensitivity against context length, by point when the length is always the same, by token position, and error
/// against γ. A single number needs no chart. Throws what run_gnuplot throws.
std::vector<ReportPanel> draw_journal(const std::string& name, const std::vector<Record>& rows,
                                      const std::filesystem::path& folder);

}  // namespace wordsway::app
