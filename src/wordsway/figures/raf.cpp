// Figure 3 (first panel) of the paper: the word sensitivity of softmax attention does not decay with n.
#include "wordsway/figures/figure_registry.h"

namespace wordsway {
namespace {

MeasureConfig grid(Profile profile) {
  MeasureConfig config;
  config.maps = {"raf"};
  config.d = {192, 384, 768};
  config.n = {10, 20, 50, 100, 150, 200, 250};
  config.trials = 10;
  if (profile == Profile::kQuick) {
    config.d = {32, 64, 128};
    config.n = {10, 30, 60};
    config.trials = 3;
  }
  return config;
}

LineChart chart(const std::vector<Record>& rows, const std::vector<Record>&) {
  LineChart result;
  result.title = "Softmax attention: one word moves the representation, however long the text";
  result.x_label = "context length n";
  result.y_label = "word sensitivity S";
  result.series = curves_against_n(rows, {"d"});
  result.reference_slopes = {-0.5};
  return result;
}

}  // namespace

void register_raf(FigureRegistry& registry) {
  registry.add("raf",
               {"Word sensitivity of softmax attention",
                "Theorem 2 and Figure 3: the word sensitivity of random attention features stays of constant order "
                "as the context grows, while n is at most of order d.",
                "Curves are means over trials, bands one standard deviation. The dashed line is what a decay as "
                "1/sqrt(n) would look like. Where n comes near d the curve begins to bend.",
                grid, chart});
}

}  // namespace wordsway
