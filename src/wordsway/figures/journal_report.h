// The page that `report` makes of journals: a section for each, with charts, tables and settings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/bands.h"
#include "wordsway/figures/report.h"

namespace wordsway {

/// Title and words around the sections; `journals` are the files as the user named them.
Report journal_report(std::vector<ReportFigure> sections, const std::vector<std::string>& journals);

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
/// with `name`. Journals of `words`, `substitute` and others that ask a model about texts have a table of their rows,
/// and no points where there are no trials. Throws what read_journal and write_picture throw.
JournalReport report_journal(const std::filesystem::path& journal, const std::string& name,
                             const std::filesystem::path& folder, Bands bands = Bands::kDeviation);

}  // namespace wordsway
