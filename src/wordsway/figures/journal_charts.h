// The charts that the rows of a journal call for.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/figures/gnuplot.h"
#include "wordsway/figures/report.h"
#include "wordsway/io/journal.h"

namespace wordsway {

/// True of the journals of `measure` and `generalize`: their rows have a map. Those of other commands do not.
bool is_of_maps(const JournalIdentity& identity);

/// Draws into `folder`, under names that begin with `name`, whatever the rows (failed ones left out) can show:
/// sensitivity against context length, by point when the length is always the same, by token position, error against
/// γ; the words of a text, and the layers of a model. A single number needs no chart. Throws what run_gnuplot throws.
std::vector<ReportPanel> draw_journal(const std::string& name, const JournalIdentity& identity,
                                      const std::vector<Record>& rows, const std::filesystem::path& folder,
                                      Bands bands = Bands::kDeviation);

/// Draws rows of `measure`: sensitivity against context length, or by point when the length is always the same.
/// Nothing, and a panel without a path, where there is a single point or too many.
ReportPanel draw_measured(const std::vector<Record>& rows, const Canvas& canvas);

}  // namespace wordsway
