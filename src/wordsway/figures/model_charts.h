// Charts of what people ask of a model: which words of a text matter, how far each layer follows a moved token, where
// tokens look, where pairs of texts are lost, and how far two prompts part what comes next.
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

/// A bar for each row of WordsStudy, which is a word, and marks for everything else that was measured.
BarChart words_chart(const std::vector<Record>& rows, const std::string& model, const std::string& layer);

/// A row for each row of OppositesStudy: how far the synonym and the opposite move the text's vector, 1 − cosine with a
/// line at the threshold, or the divergence or change where there is no cosine.
Chart opposites_chart(const std::vector<Record>& rows, const std::string& model, double threshold);

/// Relative change against layer, on linear axes; one series for each direction.
LineChart layers_chart(const std::string& title, std::vector<Series> series);

/// A panel for every text, and another beside it if a token moved.
HeatMap attention_chart(const std::string& title, const std::vector<TextAttention>& texts, std::optional<Index> token);

/// The divergence between the next-token distributions after two prompts, at every token of an answer.
struct DrawnAnswers {
  std::string model;
  std::vector<std::string> words;               // in which the prompts differ
  std::vector<std::string> tokens_a, tokens_b;  // of the answers
  std::optional<Index> first_difference;        // the first step at which the answers differ
  std::vector<double> divergence;               // at the first tokens of A
};

/// A bar for each token of the first answer, from the top. Where the second answer differs first, its token stands
/// beside the bar.
BarChart answers_chart(const DrawnAnswers& answers);

/// A row for every class that has pairs: the share of them that is lost from each step on or, without steps, in the
/// end.
Chart pairs_chart(const PairAudit& audit);

}  // namespace wordsway
