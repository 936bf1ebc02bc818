#include "wordsway/figures/model_charts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace wordsway {

BarChart words_chart(const std::vector<Record>& rows, const std::string& model, const std::string& layer) {
  const bool by_divergence = !rows.empty() && rows.front().find("typical_divergence") != nullptr;
  BarChart chart{
      fmt::format("Which words matter to {}, layer {}", model, layer),
      by_divergence ? "divergence of the next word's distributions, in bits" : "relative change of the model's output",
      {},
      {{"words alike, on average", {}, {}},
       {"the worst of them", {}, {}},
       {"its synonym", {}, {}},
       {"its opposite", {}, {}},
       {"the word left out", {}, {}},
       {"the worst move in the ball", {}, {}}}};
  std::vector<std::string> columns{"typical",        "worst_change", "synonym_change",
                                   "antonym_change", "dropped",      "sensitivity"};
  if (by_divergence) {  // the ball's is a relative change, which has no place beside bits
    columns = {"typical_divergence", "worst_divergence", "synonym_divergence", "antonym_divergence",
               "dropped_divergence"};
    chart.series.pop_back();
  }
  for (const Record& row : rows) {
    chart.labels.push_back(row.text("word"));
    for (size_t k = 0; k < chart.series.size(); ++k)
      chart.series[k].values.push_back(row.missing(columns[k]) ? std::nullopt : std::optional(row.number(columns[k])));
    const std::array<const char*, 3> words = {"worst_word", "synonym", "antonym"};  // of the series from the second on
    for (size_t k = 0; k < words.size(); ++k)
      chart.series[k + 1].notes.push_back(row.missing(words[k]) ? "" : "→ " + row.text(words[k]));
  }
  std::erase_if(chart.series, [](const BarSeries& series) {
    return std::ranges::none_of(series.values, [](const auto& value) { return value.has_value(); });
  });
  return chart;
}

LineChart layers_chart(const std::string& title, std::vector<Series> series) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "layer (0: embedding)";
  chart.y_label = "relative change";
  chart.log_x = chart.log_y = false;
  chart.series = std::move(series);
  return chart;
}

HeatMap attention_chart(const std::string& title, const std::vector<TextAttention>& texts, std::optional<Index> token) {
  HeatMap map;
  map.title = title;
  map.row_label = "token";
  map.column_label = "looks at";
  for (const TextAttention& text : texts) {
    map.panels.push_back({text.after ? "before" : text.text, text.pieces, text.pieces, text.before});
    if (text.after)
      map.panels.push_back({fmt::format("token {} moved", token.value_or(0)), text.pieces, text.pieces, *text.after});
  }
  return map;
}

BarChart answers_chart(const DrawnAnswers& answers) {
  BarSeries bars{"divergence", {}, {}};
  std::vector<std::string> labels;
  for (size_t step = 0; step < std::min(answers.divergence.size(), answers.tokens_a.size()); ++step) {
    labels.push_back(answers.tokens_a[step]);
    bars.values.emplace_back(answers.divergence[step]);
    const bool parts = answers.first_difference == static_cast<Index>(step) && step < answers.tokens_b.size();
    bars.notes.push_back(parts ? "→ " + answers.tokens_b[step] : "");
  }
  return {fmt::format("What {} expects after two prompts: {}", answers.model, fmt::join(answers.words, ", ")),
          "divergence of the next token's distributions, in bits",
          std::move(labels),
          {std::move(bars)}};
}

namespace {

BarChart merges_chart(const PairAudit& audit) {
  BarChart chart{fmt::format("Reversals that merge at {}", audit.threshold.describe()),
                 "share of pairs whose two texts are within the threshold",
                 {},
                 {{"merged", {}, {}}}};
  for (const ClassSummary& summary : audit.classes) {
    if (summary.pairs == 0) continue;
    chart.labels.push_back(summary.class_name);
    chart.series[0].values.emplace_back(summary.merge_rate());
    const auto kept = summary.keep_rate();
    chart.series[0].notes.push_back(kept ? fmt::format("{:.0f}% of paraphrases kept", 100 * *kept) : "");
  }
  return chart;
}

HeatMap losses_chart(const PairAudit& audit) {
  HeatPanel panel{"", {}, audit.steps, Matrix(0, static_cast<Index>(audit.steps.size()))};
  for (const ClassSummary& summary : audit.classes) {
    if (summary.pairs == 0) continue;
    panel.row_labels.push_back(summary.class_name);
    panel.values.conservativeResize(panel.values.rows() + 1, Eigen::NoChange);
    panel.values.bottomRows(1) = Eigen::Map<const Eigen::RowVectorXd>(summary.lost_by_step.data(),
                                                                      static_cast<Index>(summary.lost_by_step.size()));
  }
  return {fmt::format("Pairs of {} that are lost from this step on, {}", audit.config.text("model"),
                      audit.threshold.describe()),
          "",
          "",
          {panel}};
}

}  // namespace

Chart pairs_chart(const PairAudit& audit) {
  return audit.steps.empty() ? chart_of(merges_chart(audit)) : chart_of(losses_chart(audit));
}

}  // namespace wordsway
