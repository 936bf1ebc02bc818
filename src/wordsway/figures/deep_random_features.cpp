// Figure 2 (second panel) of the paper: more layers do not help random features to see one word.
#include "wordsway/figures/figure_registry.h"

namespace wordsway {
namespace {

MeasureConfig grid(Profile profile) {
  MeasureConfig config;
  config.maps = {"drf"};
  config.d = {48};
  config.depth = {2, 4, 8};
  config.n = {20, 40, 60, 80};
  config.trials = 3;
  config.search.starts = 1;  // every evaluation adds to the deferred matrices; starts agree to a percent
  config.search.tolerance = 1e-3;
  if (profile == Profile::kFull) {
    config.d = {768};
    config.n = {50, 60, 70, 80};
    config.trials = 10;
  }
  if (profile == Profile::kQuick) {
    config.d = {8};
    config.depth = {2, 3, 4};
    config.n = {5, 10, 20};
  }
  return config;
}

LineChart chart(const std::vector<Record>& rows, const std::vector<Record>&) {
  LineChart result;
  result.title = "Deep random features: more layers do not bring the word back";
  result.x_label = "context length n";
  result.y_label = "word sensitivity S";
  result.series = curves_against_n(rows, {"depth"});
  result.reference_slopes = {-0.5};
  return result;
}

}  // namespace

void register_deep_random_features(FigureRegistry& registry) {
  registry.add(
      "deep-random-features",
      {"Word sensitivity of deep random features",
       "Theorem 1 and Figure 2: deep random features of any depth have a word sensitivity of order 1/sqrt(n).",
       "Every depth falls along the dashed line; deeper maps start higher by a constant factor.", grid, chart});
}

}  // namespace wordsway
