// Figure 2 (second panel) of the paper: more layers do not help random features notice one word.
#include <algorithm>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

// As for one layer. Deeper maps approach their limit more slowly, so the fit lies further below -0.5.
constexpr double kLowExponent = -0.85, kHighExponent = -0.45;
constexpr double kMostGrowth = 2;  // of S, from the shallowest to the deepest

FigureStudy study(const FigureSetting& setting) {
  MeasureConfig config = measure_config(setting);
  config.maps = {"drf"};
  config.parameters["depth"] = parameter_list(setting.by_profile<std::vector<Index>>({2, 3, 4}, {2, 4, 8}, {2, 4, 8}));
  config.n = setting.by_profile<std::vector<Index>>({20, 40, 60}, {40, 60, 80, 120}, {50, 60, 70, 80});
  config.trials = setting.by_profile<Index>(3, 3, 10);
  config.d = setting.by_profile<std::vector<Index>>({32}, {96}, {});
  config.data = synthetic_source("spiked:0.3", setting.seed);
  if (setting.profile != Profile::kFull) return {std::make_shared<MeasureStudy>(config), {}};
  const Sizes sizes = model_dimensions(setting);
  config.d = {sizes.values.back()};
  // A GPU would hold up to 7 matrices of 30 GB for each running trial; the CPU never forms them.
  config.device = {};
  config.data = setting.data;
  return {std::make_shared<MeasureStudy>(config), sizes.note};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return {line_panel(sensitivity_chart("Deep random features: more layers do not bring the word back",
                                       curves_against_n(rows, {"depth"})))};
}

// The exponent of the deepest map, with an interval that covers the intervals of all depths.
Interval exponents(const Rows& rows) {
  Interval hull = exponent_of(at_largest(rows, "depth"));
  for (const double depth : distinct_numbers(rows, "depth")) {
    const Interval found = exponent_of(rows_where(rows, "depth", depth));
    hull.low = std::min(found.low, hull.low);
    hull.high = std::max(found.high, hull.high);
  }
  return hull;
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows longest = at_largest(rows, "n");
  const auto of = [](const Rows& some) { return numbers_of(some, "sensitivity"); };
  return {judge_between(
              {"The word sensitivity of deep random features falls as 1/√n at every depth.", "Theorem 2, Figure 2"},
              "exponent of S in n at the largest depth", exponents(rows), kLowExponent, kHighExponent,
              "(interval over all depths)"),
          judge_below({"More layers change the word sensitivity of deep random features by a constant factor at most.",
                       "Theorem 2, Figure 2"},
                      "S of the deepest over S of the shallowest",
                      ratio_of(of(at_largest(longest, "depth")), of(at_smallest(longest, "depth"))), kMostGrowth,
                      at_size(longest, "n"))};
}

}  // namespace

void register_deep_random_features(FigureRegistry& registry) {
  registry.add(
      "deep-random-features",
      {21, "Deep random features against context length",
       "Theorem 2 and Figure 2: deep random features of any depth have a word sensitivity of order 1/√n.",
       "Every depth falls along the dashed line; deeper maps start higher by a constant factor and come down to the "
       "line more slowly, so that their fitted exponent at moderate n lies further below −0.5.",
       "made-up words that share a direction (spiked:0.3)", study, panels, verdicts});
}

}  // namespace wordsway
