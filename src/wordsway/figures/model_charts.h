// Charts of what one asks of a model: which words of a text matter, how far each layer follows a moved token, where
// tokens look, and where pairs of texts are lost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/attention.h"
#include "wordsway/audit/pair_audit.h"
#include "wordsway/core/record.h"
#include "wordsway/figures/bar_chart.h"
#include "wordsway/figures/heat_map.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway {

/// The rows of one text, as WordsStudy has them: a bar for each word, and marks for what else was measured of it.
BarChart words_chart(const std::vector<Record>& rows, const std::string& model, const std::string& layer);

/// Relative change against layer, on linear axes; one series for each direction.
LineChart layers_chart(const std::string& title, std::vector<Series> series);

/// A panel for every text, and one more beside it where the token moved.
HeatMap attention_chart(const std::string& title, const std::vector<TextAttention>& texts, std::optional<Index> token);

/// A row for every class that has pairs: the share of them that is lost from each step on.
HeatMap losses_chart(const PairAudit& audit);

}  // namespace wordsway
