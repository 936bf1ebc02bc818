// Beyond the paper: softmax attention against its inverse temperature β.
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

constexpr double kMostSoftExponent = -0.3;                              // at the smallest β
constexpr double kLowSharpExponent = -0.15, kHighSharpExponent = 0.15;  // at the largest

FigureStudy study(const FigureSetting& setting) {
  const Sizes sizes = model_dimensions(setting);
  MeasureConfig config = measure_config(setting);
  config.maps = {"raf"};
  config.d = {sizes.values.back()};
  config.n = setting.by_profile<std::vector<Index>>({15, 30, 60}, {25, 50, 100, 200}, {25, 50, 100, 200});
  config.parameters["beta"] = parameter_list<double>({0.0625, 0.125, 0.25, 0.5, 1, 2, 4});
  config.trials = setting.by_profile<Index>(6, 10, 10);
  config.data = setting.data;
  return {std::make_shared<MeasureStudy>(config), sizes.note};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  LineChart chart;
  chart.title = "A soft softmax loses the word, a sharp one keeps it";
  chart.x_label = "inverse temperature β";
  chart.y_label = "word sensitivity S";
  chart.series = curves(rows, "beta", "sensitivity", {"n"});
  return {line_panel(std::move(chart))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows soft = at_smallest(rows, "beta"), sharp = at_largest(rows, "beta");
  return {
      judge_below({"At a high temperature (small β) softmax attention averages, and its word sensitivity falls with n.",
                   "beyond the paper"},
                  "exponent of S in n", exponent_of(soft), kMostSoftExponent, at_size(soft, "beta")),
      judge_between({"At a low temperature (large β) the word sensitivity of softmax attention does not fall with n.",
                     "beyond the paper; Theorem 3 at β = 1"},
                    "exponent of S in n", exponent_of(sharp), kLowSharpExponent, kHighSharpExponent,
                    at_size(sharp, "beta"))};
}

}  // namespace

void register_temperature(FigureRegistry& registry) {
  registry.add(
      "temperature",
      {61, "Softmax attention against inverse temperature",
       "The paper has β = 1. Scores are multiplied by β before the softmax.",
       "Left, where all tokens are looked at alike, the curves of different n lie apart: the longer the text, the "
       "less one word counts. To the right they come together.",
       "the words of the texts, as vectors of the model's embedding", study, panels, verdicts});
}

}  // namespace wordsway
