// Journals as sections of a report.
#pragma once

#include <string>
#include <vector>

#include "wordsway/figures/report.h"
#include "wordsway/io/journal.h"

namespace wordsway::app {

/// The section of one journal: charts, points and fits as tables, configuration, build and machine.
ReportFigure journal_section(const std::string& name, const JournalContent& content, const std::vector<Record>& points,
                             const std::vector<Record>& fits, std::vector<ReportPanel> panels);

/// Title and words around the sections; `journals` are the files as the user named them.
Report journal_report(std::vector<ReportFigure> sections, const std::vector<std::string>& journals);

}  // namespace wordsway::app
