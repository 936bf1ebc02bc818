// The page and charts that `report` makes of journals.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/report.h"
#include "wordsway/io/journal.h"

namespace wordsway::app {

// Journals as sections of a report.

/// The section of one journal: charts, points and fits as tables, configuration, build and machine.
ReportFigure journal_section(const std::string& name, const JournalContent& content, const std::vector<Record>& points,
                             const std::vector<Record>& fits, std::vector<ReportPanel> panels);

/// Title and words around the sections; `journals` are the files as the user named them.
Report journal_report(std::vector<ReportFigure> sections, const std::vector<std::string>& journals);

// The charts that the rows of a journal call for.

/// Draws into `folder`, under names that begin with `name`, whatever the rows (failed ones left out) can show:
/// sensitivity against context length, by point when the length is always the same, by token position, and error
/// against γ. A single number needs no chart. Throws what run_gnuplot throws.
std::vector<ReportPanel> draw_journal(const std::string& name, const std::vector<Record>& rows,
                                      const std::filesystem::path& folder);

}  // namespace wordsway::app
