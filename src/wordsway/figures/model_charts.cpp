#include "wordsway/figures/model_charts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wordsway/study/opposites_study.h"

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

namespace {

constexpr const char *kKeepsColour = "#2a788e", *kTurnsColour = "#c04a00", *kLimitColour = "#777777";

// The sentence with the word marked.
std::string marked(const Record& row) {
  const std::string &sentence = row.text("sentence"), &word = row.text("word");
  const size_t at = sentence.find(word);
  return at == std::string::npos
             ? sentence
             : fmt::format("{}[{}]{}", sentence.substr(0, at), word, sentence.substr(at + word.size()));
}

std::optional<double> distance_of(const Record& row, const std::string& relation) {
  if (row.find(relation + "_cosine") != nullptr) return 1 - row.number(relation + "_cosine");
  return magnitude_of(row, relation);
}

}  // namespace

Chart opposites_chart(const std::vector<Record>& rows, const std::string& model, double threshold) {
  const bool has_cosine = !rows.empty() && rows.front().find("antonym_cosine") != nullptr;
  const bool has_divergence = !rows.empty() && rows.front().find("antonym_divergence") != nullptr;
  Chart chart{.title = fmt::format("How far the synonym and the opposite move {}", model),
              .legend = {{"its synonym", kKeepsColour, Line::kNone, Shape::kDisc},
                         {"its opposite", kTurnsColour, Line::kNone, Shape::kDiamond}},
              .legend_place = LegendPlace::kAbove,
              .width = 860,
              .height = 0};
  Panel panel;
  RowMarks keeps{.colour = kKeepsColour, .text_colour = kKeepsColour, .shape = Shape::kDisc},
      turns{.colour = kTurnsColour, .text_colour = kTurnsColour, .shape = Shape::kDiamond};
  double largest = 0;
  for (const Record& row : rows) {
    panel.y.names.push_back(marked(row));
    keeps.values.push_back(distance_of(row, "synonym"));
    keeps.notes.push_back(row.text("synonym"));
    turns.values.push_back(distance_of(row, "antonym"));
    turns.notes.push_back(row.text("antonym"));
    largest = std::max({largest, keeps.values.back().value_or(0), turns.values.back().value_or(0)});
  }
  panel.marks = {std::move(keeps), std::move(turns)};
  if (has_cosine) {
    panel.limit = 1 - threshold;
    largest = std::max(largest, *panel.limit);
    chart.legend.push_back({fmt::format("a cache at cosine ≥ {:g}: left of it, texts are the same", threshold),
                            kLimitColour, Line::kDashed});
  }
  panel.x = {.label = has_cosine       ? "1 − cosine with the original sentence"
                      : has_divergence ? "divergence of the next word's distributions, in bits"
                                       : "relative change of the model's output",
             .high = largest > 0 ? 1.02 * largest : 1};
  if (!rows.empty()) chart.panels.push_back(std::move(panel));
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
