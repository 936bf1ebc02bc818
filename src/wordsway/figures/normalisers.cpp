// Beyond the paper: every way of normalising attention on one chart, and random features beside them.
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/figures/figure_registry.h"

namespace wordsway {
namespace {

MeasureConfig grid(Profile profile) {
  MeasureConfig config;
  config.maps = {"raf", "raf-square", "raf-relu", "raf-sigmoid", "raf-softplus", "raf-elu", "rf"};
  std::erase_if(config.maps, [](const std::string& map) { return !map_registry().contains(map); });
  config.d = {profile == Profile::kFull ? 768 : profile == Profile::kQuick ? 48 : 256};
  config.n = {10, 20, 50, 100, 250};
  config.trials = 10;
  if (profile == Profile::kQuick) {
    config.n = {10, 30, 60};
    config.trials = 3;
  }
  return config;
}

// The exponent belongs to the curve's name: it is what the picture is about.
LineChart chart(const std::vector<Record>& rows, const std::vector<Record>& fits) {
  LineChart result;
  result.title = "Only the softmax keeps one word in sight";
  result.x_label = "context length n";
  result.y_label = "word sensitivity S";
  result.series = curves_against_n(rows, {"map"});
  for (Series& series : result.series)
    for (const Record& fit : fits)
      if (fit.text("map") == series.label) {
        series.label += fmt::format(" (n^{:.2f})", fit.number("exponent"));
        break;
      }
  result.reference_slopes = {-0.5};
  return result;
}

}  // namespace

void register_normalisers(FigureRegistry& registry) {
  registry.add(
      "normalisers",
      {"Every normaliser against context length",
       "Theorems 1 and 2 and Figure 3: random features decay as 1/sqrt(n), softmax attention does not, ReLU "
       "attention decays again. The other normalisers are ours.",
       "The exponent in brackets is fitted to all trials. Every normaliser but the softmax lets the word drown.", grid,
       chart});
}

}  // namespace wordsway
