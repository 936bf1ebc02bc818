// The charts that the rows of a journal call for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/figures/bands.h"
#include "wordsway/figures/report.h"
#include "wordsway/io/journal.h"

namespace wordsway {

/// True for journals of `measure` and `generalize`, whose rows have a map.
bool is_of_maps(const JournalIdentity& identity);

struct JournalChart {
  const char* ending;  // of the name of its file
  ReportPanel panel;
};

/// The charts of whatever the rows (failed ones left out) can show: sensitivity against context length, by point when
/// the length is always the same, by token position, error against γ; the words of a text, and the layers of a model. A
/// single number needs no chart.
std::vector<JournalChart> journal_charts(const JournalIdentity& identity, const std::vector<Record>& rows,
                                         Bands bands = Bands::kDeviation);

/// The chart of rows of `measure`: sensitivity against context length, or by point when the length is always the same.
/// Nothing where there is a single point or too many.
std::optional<ReportPanel> measured_chart(const std::vector<Record>& rows, Bands bands);

}  // namespace wordsway
