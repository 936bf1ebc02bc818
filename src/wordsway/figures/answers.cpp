// Figure 1 of the paper, right: changing one word of the prompt changes the answer.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wordsway/figures/attention_study.h"
#include "wordsway/figures/judge.h"
#include "wordsway/figures/model_charts.h"
#include "wordsway/figures/panels.h"
#include "wordsway/study/answers_study.h"

namespace wordsway {
namespace {

constexpr double kLeastDifferent = 0.85;  // share of deciding pairs whose answers differ
constexpr double kLeastRight = 0.75;      // share of them with both answers right, letter by letter
constexpr double kLeastRightLong = 0.6;   // that share in the longest reviews alone, which are fewer
constexpr double kLeastSame = 0.8;        // share of neutral pairs whose answers are the same
constexpr double kLeastLead = 0.5;        // bits of divergence: deciding pairs over neutral ones

FigureStudy study(const FigureSetting& setting) {
  AnswersStudyConfig config;
  config.model = setting.decoder();
  config.seed = setting.seed;
  config.n = setting.by_profile<std::vector<Index>>({20, 40, 80}, {20, 50, 100, 200}, {20, 50, 100, 200});
  config.pairs = setting.by_profile<Index>(66, 110, 440);  // 11 kinds, each with deciding and neutral pairs
  return {std::make_shared<AnswersStudy>(config), {}};
}

Rows pairs_of(const Rows& rows, bool decide) {
  Rows result;
  for (const Record& row : rows_where(rows, "part", "pairs"))
    if (!row.missing("decides") && is_true(row, "decides") == decide) result.push_back(row);
  return result;
}

template <typename Hit>
Interval share_of(const Rows& rows, const Hit& hit) {
  return rate_of(std::count_if(rows.begin(), rows.end(), hit), static_cast<Index>(rows.size()));
}
bool differ(const Record& row) {
  return is_true(row, "differ");
}
bool are_right(const Record& row) {
  return holds_number(row, "right") && row.number("right") == 2;
}
bool are_same(const Record& row) {
  const Value* value = row.find("differ");
  return value != nullptr && std::holds_alternative<bool>(*value) && !std::get<bool>(*value);
}

template <typename Hit>
Series shares_against_n(const std::string& label, const Rows& rows, const Hit& hit) {
  Series series{label, {}, {}};
  for (const double n : distinct_numbers(rows, "n")) {
    const Interval share = share_of(rows_where(rows, "n", n), hit);
    series.x.push_back(n);
    series.y.push_back(share.value);
    series.low.push_back(share.low);
    series.high.push_back(share.high);
  }
  return series;
}

BarChart shown_chart(const Rows& rows) {
  const Rows shown = rows_where(rows, "part", "shown");
  DrawnAnswers answers{"the decoder", {}, {}, {}, {}, {}};
  if (shown.empty()) return answers_chart(answers);
  const Record& row = shown.front();
  answers.words = texts_of(row, "words");
  answers.tokens_a = texts_of(row, "tokens_a");
  answers.tokens_b = texts_of(row, "tokens_b");
  if (holds_number(row, "first_difference"))
    answers.first_difference = static_cast<Index>(row.number("first_difference"));
  const Value* divergence = row.find("divergence");
  if (divergence != nullptr && std::holds_alternative<std::vector<double>>(*divergence))
    answers.divergence = std::get<std::vector<double>>(*divergence);
  return answers_chart(answers);
}

std::vector<FigurePanel> panels(const Rows& rows) {
  const Rows deciding = pairs_of(rows, true), neutral = pairs_of(rows, false);
  LineChart chart;
  chart.title = "Two held-out prompts, one word apart: the answers";
  chart.x_label = "tokens of the review";
  chart.y_label = "share of pairs";
  chart.log_y = false;
  chart.series = {shares_against_n("the word decides: answers differ", deciding, differ),
                  shares_against_n("the word decides: both right", deciding, are_right),
                  shares_against_n("neutral word: same answer", neutral, are_same)};
  return {bar_panel(shown_chart(rows), "The tokens of the first answer, from the top; the prompts are in the table."),
          line_panel(std::move(chart), "Bands: Wilson's 95% intervals.")};
}

std::vector<ReportTable> tables(const Rows& rows) {
  std::vector<ReportTable> result;
  for (const Record& row : rows_where(rows, "part", "shown")) {
    const auto prompts = texts_of(row, "prompts"), answers = texts_of(row, "answers");
    ReportTable table{"Two prompts and what the decoder answers", {"prompt", "answer"}, {}};
    for (size_t k = 0; k < std::min(prompts.size(), answers.size()); ++k)
      table.rows.push_back({prompts[k], answers[k]});
    result.push_back(std::move(table));
  }
  const Rows deciding = pairs_of(rows, true), neutral = pairs_of(rows, false);
  ReportTable kinds{"By kind of question", {"question", "pairs", "both right", "neutral pairs", "same answer"}, {}};
  const auto share = [](const Rows& some, bool (*hit)(const Record&)) {
    return some.empty() ? std::string() : fmt::format("{:.2f}", share_of(some, hit).value);
  };
  for (const std::string& kind : distinct_texts(deciding, "kind")) {
    const Rows of_kind = rows_where(deciding, "kind", kind), beside = rows_where(neutral, "kind", kind);
    kinds.rows.push_back({kind, std::to_string(of_kind.size()), share(of_kind, are_right),
                          std::to_string(beside.size()), share(beside, are_same)});
  }
  result.push_back(std::move(kinds));
  return result;
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows deciding = pairs_of(rows, true), neutral = pairs_of(rows, false), longest = at_largest(deciding, "n");
  const std::string pairs = fmt::format("of {} pairs", deciding.size());
  return {
      judge_above(
          {"The decoder answers two prompts about a film review differently where the one word between them decides.",
           "Figure 1; held-out questions are ours"},
          "share", share_of(deciding, differ), kLeastDifferent, pairs),
      judge_above({"Where the one word between two prompts decides, both answers of the decoder are right.",
                   "Figure 1; held-out questions are ours"},
                  "share", share_of(deciding, are_right), kLeastRight, pairs),
      judge_above({"In the longest prompts, too, both answers of the decoder are right where the one word between them "
                   "decides.",
                   "Figure 1; held-out questions are ours"},
                  "share", share_of(longest, are_right), kLeastRightLong,
                  fmt::format("of {} pairs {}", longest.size(), at_size(longest, "n"))),
      judge_above({"The decoder gives the same answer to two prompts where the one word between them is neutral.",
                   "Figure 1; held-out questions are ours"},
                  "share", share_of(neutral, are_same), kLeastSame, fmt::format("of {} pairs", neutral.size())),
      judge_above({"What the decoder expects as its next token moves far where the changed word of the prompt decides, "
                   "and hardly where it is neutral.",
                   "Figure 1; held-out questions are ours"},
                  "largest divergence in bits, decisive less neutral words",
                  difference_of(numbers_of(deciding, "divergence"), numbers_of(neutral, "divergence")), kLeastLead,
                  "")};
}

}  // namespace

void register_answers(FigureRegistry& registry) {
  registry.add(
      "answers",
      {12, "One word in the prompt, another answer",
       "Figure 1, right: when one word of a prompt is replaced, a language model answers differently, as the meaning "
       "of "
       "the prompt does.",
       "The first picture, one pair of prompts: how far apart the built-in decoder's expectations of the next token "
       "are at every "
       "token of its first answer, in bits (1: nothing in common). They part at “Yes” and at the word that is named; "
       "in "
       "between, the answer is a matter of form. The second, held-out questions about reviews of 20 to 200 tokens in "
       "the "
       "eleven kinds that the decoder was trained on, in sentences and with names that it was not: where the word "
       "decides, do the answers differ, and are both right, letter by letter; where it is neutral, do they stay the "
       "same. The quick profile has fewer pairs and goes to 80 tokens. The decoder is small and knows nothing but "
       "such "
       "reviews; the paper shows a large one.",
       "held-out questions about made-up film reviews, through the decoder", study, panels, verdicts, tables});
}

}  // namespace wordsway
