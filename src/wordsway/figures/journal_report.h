// The page and charts that `report` makes of journals.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/report.h"
#include "wordsway/io/journal.h"

namespace wordsway {

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

/// What one journal gives.
struct JournalReport {
  Record summary;  // what the journal holds and which files were written
  ReportFigure section;
  std::vector<std::string> remarks;  // what a reader should know of it
};

/// A name for each journal after its file, no two alike: journals of the same name from different folders must not
/// write over each other.
std::vector<std::string> distinct_names(const std::vector<std::string>& journals);

/// Reads a journal and writes its rows, points and fits as CSV and its charts into `folder`, under names that begin
/// with `name`. Throws what read_journal and run_gnuplot throw.
JournalReport report_journal(const std::filesystem::path& journal, const std::string& name,
                             const std::filesystem::path& folder);

}  // namespace wordsway
