// Figure 2 (first panel) of the paper: the word sensitivity of random features falls as 1/√n, whatever d is.
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

// S·√n falls to its limit from above, by the part of Δ that V_i stretches most: a fit at moderate n lies below -0.5.
constexpr double kLowExponent = -0.75, kHighExponent = -0.45;
constexpr double kLeastRatio = 0.9, kMostRatio = 1.1;  // of S at the largest d to S at the smallest

FigureStudy study(const FigureSetting& setting) {
  MeasureConfig config = measure_config(setting);
  config.maps = {"rf"};
  config.n =
      setting.by_profile<std::vector<Index>>({30, 60, 90}, {30, 60, 90, 120, 150}, {90, 100, 110, 120, 130, 140, 150});
  config.trials = setting.by_profile<Index>(3, 4, 10);
  if (setting.profile == Profile::kFull) {
    const Sizes sizes = model_dimensions(setting);
    config.d = sizes.values;
    config.data = setting.data;
    return {std::make_shared<MeasureStudy>(config), sizes.note};
  }
  // Only norms and sizes matter to random features, so synthetic data will do, at sizes beyond those of the built-in
  // model.
  config.d = setting.by_profile<std::vector<Index>>({48, 96, 192}, {192, 384, 768}, {});
  config.data = synthetic_source("spiked:0.3", setting.seed);
  return {std::make_shared<MeasureStudy>(config), {}};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return {line_panel(
      sensitivity_chart("Random features: one word is lost as the text grows", curves_against_n(rows, {"d"})))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows widest = at_largest(rows, "d"), longest = at_largest(rows, "n");
  const auto of = [](const Rows& some) { return numbers_of(some, "sensitivity"); };
  return {judge_between({"The word sensitivity of random features falls as 1/√n.", "Theorem 1, Figure 2"},
                        "exponent of S in n", exponent_of(widest), kLowExponent, kHighExponent, at_size(widest, "d")),
          judge_between(
              {"The word sensitivity of random features does not depend on the dimension d.", "Theorem 1, Figure 2"},
              "S at the largest d over S at the smallest",
              ratio_of(of(at_largest(longest, "d")), of(at_smallest(longest, "d"))), kLeastRatio, kMostRatio,
              at_size(longest, "n"))};
}

}  // namespace

void register_random_features(FigureRegistry& registry) {
  registry.add(
      "random-features",
      {20, "Random features against context length",
       "Theorem 1 and Figure 2: the word sensitivity of fully connected random features is of order 1/√n.",
       "Curves of different d lie on top of each other and fall along the dashed line. At moderate n the fitted "
       "exponent lies a little below −0.5, to which it tends with n.",
       "made-up words that share a direction (spiked:0.3)", study, panels, verdicts});
}

}  // namespace wordsway
