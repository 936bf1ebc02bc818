// Beyond the paper: how many words must move together for the features to follow?
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

constexpr double kLowExponent = 0.45,
                 kHighExponent =
                     0.75;  // of S against M/n for rf: the inverse of Theorem 1's exponent of one word against n
constexpr double kSmallShare = 0.2;        // of the words; below it S of rf is small, and the power law applies
constexpr double kMostOfFeatures = 0.25;   // S of rf with one word over S with all
constexpr double kLeastOfAttention = 0.5;  // that ratio for raf

// S of random features does not depend on d, so it is small enough to store the weights. Attention keeps a word if d is
// well above n.
struct FamilySize {
  Index n, d;
  std::vector<Index> moved;
};

std::shared_ptr<const Study> of_family(const FigureSetting& setting, std::vector<std::string> maps, FamilySize size) {
  MeasureConfig config = measure_config(setting);
  config.maps = std::move(maps);
  config.n = {size.n};
  config.d = {size.d};
  config.moved_tokens = std::move(size.moved);
  config.spread = true;
  config.random = "dense";
  if (config.maps.back() == "drf") config.parameters["depth"] = parameter_list<Index>({2});
  config.search.starts = 2;  // of each map; docs/theory.md says what more starts would find
  config.trials = setting.by_profile<Index>(4, 6, 6);
  config.data = synthetic_source("spiked:0.3", setting.seed);
  return std::make_shared<MeasureStudy>(config);
}

FigureStudy study(const FigureSetting& setting) {
  const Index n = setting.by_profile<Index>(30, 50, 100);
  const std::vector<Index> moved =
      setting.by_profile<std::vector<Index>>({1, 2, 3, 6, 15, 30}, {1, 2, 5, 10, 25, 50}, {1, 2, 5, 10, 20, 50, 100});
  const Index narrow = setting.by_profile<Index>(12, 12, 16), wide = setting.by_profile<Index>(128, 192, 384);
  std::vector<StudyPart> parts = {{"features", of_family(setting, {"rf", "drf"}, {n, narrow, moved})},
                                  {"attention", of_family(setting, {"raf", "raf-relu"}, {n, wide, moved})}};
  return {std::make_shared<JoinedStudy>("family", std::move(parts)), {}};
}

// Rows with the share of the words that move.
Rows with_share(Rows rows) {
  for (Record& row : rows)
    if (holds_number(row, "moved_tokens")) row.set("M/n", row.number("moved_tokens") / row.number("n"));
  return rows;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  const Rows shares = with_share(rows);
  LineChart chart;
  chart.title = "Attention is there with one word, random features need a share of them";
  chart.x_label = "share M/n of the words that move together";
  chart.y_label = "sensitivity S to these words";
  chart.series = curves(shares, "M/n", "sensitivity", {"map"});
  const Rows features = rows_where(shares, "map", "rf");
  if (!numbers_of(features, "predicted").empty())
    chart.series.push_back(curve("rf, infinite width", features, "M/n", "predicted"));
  return {line_panel(std::move(chart),
                     "Means over trials, bands of one standard deviation; the curve of infinite width "
                     "grows as √(M/n). Each word moves within its own ball of radius √d.")};
}

Rows at_small_shares(const Rows& rows) {
  Rows result;
  for (const Record& row : rows)
    if (holds_number(row, "M/n") && row.number("M/n") <= kSmallShare) result.push_back(row);
  return result;
}

// S with one word over S with all of them.
Interval one_of_all(const Rows& rows) {
  const Rows one = rows_where(rows, "moved_tokens", 1), all = rows_where(rows, "M/n", 1);
  return ratio_of(numbers_of(one, "sensitivity"), numbers_of(all, "sensitivity"));
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows shares = with_share(rows);
  const Rows features = rows_where(shares, "map", "rf"), attention = rows_where(shares, "map", "raf");
  return {
      judge_between(
          {"The sensitivity of random features to M words that move together grows as the root of their share, √(M/n).",
           "beyond the paper; Theorem 1 for one word"},
          "exponent of S against M/n", exponent_of(at_small_shares(features), "M/n"), kLowExponent, kHighExponent,
          at_size(features, "n")),
      judge_below({"One word does little of what all words do to random features.", "beyond the paper"},
                  "S with one word over S with all", one_of_all(features), kMostOfFeatures, at_size(features, "n")),
      judge_above(
          {"One word does most of what all words do to softmax attention.", "beyond the paper; Theorem 3 for one word"},
          "S with one word over S with all", one_of_all(attention), kLeastOfAttention, at_size(attention, "n"))};
}

}  // namespace

void register_words_needed(FigureRegistry& registry) {
  registry.add(
      "words-needed",
      {68, "How many words must move",
       "The paper moves one word: S of random features is of order 1/√n (Theorems 1 and 2), that of softmax attention "
       "of constant order (Theorem 3).",
       "M words move together, each within its own ball. To random features a word is a share of the input like any "
       "other: S grows as √(M/n), so a constant share of the words must change before the features do. With as many "
       "features as inputs the moves can be fitted to the weights, so S lies above that of infinite width, and the "
       "more so the more coordinates move. Softmax attention is there with one word.",
       "made-up words that share a direction (spiked:0.3)", study, panels, verdicts});
}

}  // namespace wordsway
