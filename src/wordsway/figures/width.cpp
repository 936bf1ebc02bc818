// Beyond the paper: random features against their width k.
#include <algorithm>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

constexpr double kLowExponent = -0.75,
                 kHighExponent = -0.45;  // of S against n at every width, as in random_features.cpp
constexpr double kMostGain = 1.05;       // of S from k = D to the widest

// k is given in units of D = n·d, so every n is a study of its own.
std::shared_ptr<const Study> at_length(const FigureSetting& setting, Index n, Index d) {
  MeasureConfig config = measure_config(setting);
  config.maps = {"rf"};
  config.n = {n};
  config.d = {d};
  config.parameters["width"] = parameter_list<Index>({n * d / 4, n * d, 4 * n * d, 16 * n * d});
  config.trials = setting.by_profile<Index>(3, 4, 10);
  config.data = synthetic_source("spiked:0.3", setting.seed);
  return std::make_shared<MeasureStudy>(config);
}

FigureStudy study(const FigureSetting& setting) {
  const Index d = setting.by_profile<Index>(16, 48, 192);
  std::vector<StudyPart> parts;
  for (const Index n : setting.by_profile<std::vector<Index>>({30, 60, 120}, {30, 60, 120}, {30, 60, 120, 240}))
    parts.push_back({static_cast<std::int64_t>(n), at_length(setting, n, d)});
  return {std::make_shared<JoinedStudy>("length", std::move(parts)), {}};
}

// Rows with the width in units of D.
Rows with_ratio(Rows rows) {
  for (Record& row : rows)
    if (!row.missing("width")) row.set("k/D", row.number("width") / (row.number("n") * row.number("d")));
  return rows;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  LineChart chart;
  chart.title = "Wider random features see no more of one word";
  chart.x_label = "width k, in units of D = n·d";
  chart.y_label = "word sensitivity S";
  chart.series = curves(with_ratio(rows), "k/D", "sensitivity", {"n"});
  return {line_panel(std::move(chart))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows scaled = with_ratio(rows);
  const Rows widest = at_largest(scaled, "k/D"), longest = at_largest(scaled, "n");
  const auto of = [](const Rows& some) { return numbers_of(some, "sensitivity"); };
  return {judge_between({"The word sensitivity of random features that are wider than n·d falls as 1/√n.",
                         "beyond the paper; Theorem 1 at k = D"},
                        "exponent of S in n", exponent_of(widest), kLowExponent, kHighExponent, at_size(widest, "k/D")),
          judge_below({"Wider random features are not more sensitive to one word.", "beyond the paper"},
                      "S at the largest k over S at k = D",
                      ratio_of(of(at_largest(longest, "k/D")), of(rows_where(longest, "k/D", 1))), kMostGain,
                      at_size(longest, "n"))};
}

}  // namespace

void register_width(FigureRegistry& registry) {
  registry.add(
      "width",
      {65, "Random features against width", "The paper takes k = D = n·d features. Theorem 1 needs k of that order.",
       "With few features the worst Δ can be fitted to them; from k = D on the curves are flat: width brings "
       "nothing back, only a shorter text does.",
       "made-up words that share a direction (spiked:0.3)", study, panels, verdicts});
}

}  // namespace wordsway
