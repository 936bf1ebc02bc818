// The page that `report` makes from journals: a section for each, with charts, tables and settings.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/bands.h"
#include "wordsway/figures/report.h"

namespace wordsway {

/// Adds the title and the text around the sections. `journals` are the files as the user named them.
Report journal_report(std::vector<ReportFigure> sections, const std::vector<std::string>& journals);

/// The outcome for one journal.
struct JournalReport {
  Record summary;  // what the journal holds and which files were written
  ReportFigure section;
  std::vector<std::string> remarks;  // what readers should know about it
};

/// A name for each journal, made from that of its file. No two are alike, so that journals of the same name from
/// different folders do not overwrite each other.
std::vector<std::string> distinct_names(const std::vector<std::string>& journals);

/// Reads a journal and writes its rows, points and fits as CSV and its charts into `folder`, under names that begin
/// with `name`. Journals of `words`, `substitute` and other questions about a model have a table of their rows, and
/// points only if there are trials. Throws what read_journal and write_picture throw.
JournalReport report_journal(const std::filesystem::path& journal, const std::string& name,
                             const std::filesystem::path& folder, Bands bands = Bands::kDeviation);

}  // namespace wordsway
