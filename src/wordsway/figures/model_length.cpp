// Beyond the paper: the word sensitivity of a trained model against context length.
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"

namespace wordsway {
namespace {

constexpr Index kToken = 5;
constexpr double kLeastExponent = -0.4;  // random features fall as n^-0.5 or faster

FigureStudy study(const FigureSetting& setting) {
  const Index trials = setting.by_profile<Index>(3, 4, 10);
  const Sizes lengths = possible_lengths(
      setting, setting.by_profile<std::vector<Index>>({8, 16, 32}, {16, 32, 64, 128}, {16, 32, 64, 128, 250}), trials);
  ModelStudyConfig config = model_study_config(setting, setting.transformer->config().layers);
  config.layer = "last";
  config.n = lengths.values;
  config.trials = trials;
  config.token = kToken;
  return {std::make_shared<ModelStudy>(config), lengths.note};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return {line_panel(
      sensitivity_chart("The model itself, as texts grow", {curve("last layer", rows, "n", "sensitivity")}))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  return {judge_above({"The word sensitivity of the trained model's last layer falls more slowly with n than the 1/√n "
                       "of random features.",
                       "beyond the paper"},
                      "exponent of S in n", exponent_of(rows), kLeastExponent, "")};
}

}  // namespace

void register_model_length(FigureRegistry& registry) {
  registry.add(
      "model-length",
      {64, "The model itself against context length",
       "The paper's theory is about one layer with random weights. Here the map is the whole trained model, from "
       "embedding to last layer.",
       "The best move of token 5, as long as the token itself, in texts cut to n tokens. The dashed line is the decay "
       "of random features.",
       "the texts, through the model", study, panels, verdicts});
}

}  // namespace wordsway
