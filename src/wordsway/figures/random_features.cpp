// Figure 2 (first panel) of the paper: the word sensitivity of random features falls as 1/√n, whatever d is.
#include "wordsway/figures/figure_registry.h"

namespace wordsway {
namespace {

MeasureConfig grid(Profile profile) {
  MeasureConfig config;
  config.maps = {"rf"};
  config.d = {96, 192, 384};
  config.n = {30, 60, 90, 120, 150};
  config.trials = 4;
  config.search.starts = 1;  // every iteration adds to the deferred matrix; starts agree to a percent
  config.search.tolerance = 1e-4;
  if (profile == Profile::kFull) {
    config.d = {192, 384, 768};
    config.n = {90, 100, 110, 120, 130, 140, 150};
    config.trials = 10;
  }
  if (profile == Profile::kQuick) {
    config.d = {8, 16, 32};
    config.n = {10, 20, 40};
    config.trials = 3;
  }
  return config;
}

LineChart chart(const std::vector<Record>& rows, const std::vector<Record>&) {
  LineChart result;
  result.title = "Random features: one word drowns as the text grows";
  result.x_label = "context length n";
  result.y_label = "word sensitivity S";
  result.series = curves_against_n(rows, {"d"});
  result.reference_slopes = {-0.5};
  return result;
}

}  // namespace

void register_random_features(FigureRegistry& registry) {
  registry.add(
      "random-features",
      {"Word sensitivity of random features",
       "Theorem 1 and Figure 2: the word sensitivity of fully connected random features is of order 1/sqrt(n).",
       "Curves of different d lie on top of each other and fall along the dashed line. At moderate n the fitted "
       "exponent lies a little below -0.5, to which it tends with n.",
       grid, chart});
}

}  // namespace wordsway
