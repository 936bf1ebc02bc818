// Beyond the paper: every way of normalising attention on one chart, and random features beside them.
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

constexpr double kLeastLead = 0.1;  // lead of the softmax's exponent over the next; "faster" alone only asks for 0

FigureStudy study(const FigureSetting& setting) {
  const Sizes sizes = model_dimensions(setting);
  MeasureConfig config = measure_config(setting);
  config.maps = {"raf", "raf-square", "raf-relu", "raf-sigmoid", "raf-softplus", "raf-elu", "rf"};
  config.d = {sizes.values.back()};
  config.n = setting.by_profile<std::vector<Index>>({10, 30, 100}, {10, 20, 50, 100, 250}, {10, 20, 50, 100, 250});
  config.trials = setting.by_profile<Index>(6, 8, 10);
  config.data = setting.data;
  return {std::make_shared<MeasureStudy>(config), sizes.note};
}

// The exponent is part of the curve's name, because it is what the picture is about.
std::vector<FigurePanel> panels(const Rows& rows) {
  LineChart chart = sensitivity_chart("Only the softmax keeps one word in sight", curves_against_n(rows, {"map"}));
  for (Series& series : chart.series)
    series.label += bracketed_exponent(exponent_of(rows_where(rows, "map", series.label.plain())).value);
  return {line_panel(std::move(chart))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Interval softmax = exponent_of(rows_where(rows, "map", "raf"));
  Interval next{-1e9, -1e9, -1e9};
  std::string name = "nothing";
  for (const std::string& map : distinct_texts(rows, "map")) {
    const Interval found = exponent_of(rows_where(rows, "map", map));
    if (map == "raf" || !(found.high > next.high)) continue;
    next = found;
    name = map;
  }
  const Interval lead{softmax.value - next.value, softmax.low - next.high, softmax.high - next.low};
  return {judge_above(
      {"The word sensitivity of attention falls faster with n with every other normaliser than with the softmax.",
       "beyond the paper; Figure 3 for ReLU"},
      fmt::format("exponent of the softmax less that of the next best ({})", name), lead, kLeastLead,
      at_size(rows, "d"))};
}

}  // namespace

void register_normalisers(FigureRegistry& registry) {
  registry.add(
      "normalisers",
      {60, "Every normaliser against context length",
       "Theorems 1 and 3 and Figure 3: random features decay as 1/√n, softmax attention does not, ReLU attention "
       "decays again. The other normalisers are ours.",
       "The exponent in brackets is fitted to all trials. Every normaliser but the softmax loses the word as the text "
       "grows.",
       "the words of the texts, as vectors of the model's embedding", study, panels, verdicts});
}

}  // namespace wordsway
