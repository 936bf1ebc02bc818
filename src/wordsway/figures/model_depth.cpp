// Beyond the paper: the word sensitivity of a trained model, layer by layer.
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"

namespace wordsway {
namespace {

constexpr Index kToken = 5;
constexpr double kLeastSensitivity = 0.5;  // of the last layer

FigureStudy study(const FigureSetting& setting) {
  const Index trials = setting.by_profile<Index>(3, 4, 10);
  const Sizes lengths = possible_lengths(setting, {setting.by_profile<Index>(16, 48, 128)}, trials);
  std::vector<StudyPart> parts;
  for (Index layer = 1; layer <= setting.transformer->config().layers; ++layer) {
    ModelStudyConfig config = model_study_config(setting, layer);
    config.n = lengths.values;
    config.trials = trials;
    config.token = kToken;
    parts.push_back({static_cast<std::int64_t>(layer), std::make_shared<ModelStudy>(config)});
  }
  return {std::make_shared<JoinedStudy>("layer", std::move(parts)), lengths.note};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  LineChart chart;
  chart.title = "The model itself: what one token can do to each layer";
  chart.x_label = "layer";
  chart.y_label = "word sensitivity S";
  chart.log_x = chart.log_y = false;
  chart.series = {curve("S", rows, "layer", "sensitivity")};
  return {line_panel(std::move(chart))};
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows last = at_largest(rows, "layer"), first = at_smallest(rows, "layer");
  return {judge_above(
              {"In the trained model one token can move the last layer by half its size or more.", "beyond the paper"},
              "S", mean_of(numbers_of(last, "sensitivity")), kLeastSensitivity, at_size(last, "layer")),
          judge_above({"The last layer of the trained model is no less sensitive to one word than its first.",
                       "beyond the paper"},
                      "S of the last layer over S of the first",
                      ratio_of(numbers_of(last, "sensitivity"), numbers_of(first, "sensitivity")), 0.8, "")};
}

}  // namespace

void register_model_depth(FigureRegistry& registry) {
  registry.add(
      "model-depth",
      {63, "The model itself, layer by layer",
       "The paper's theory is about one layer with random weights; a trained model has several.",
       "For every layer the move of token 5, as long as the token itself, that changes this layer most, over several "
       "texts; the band is one standard deviation.",
       "the texts, through the model", study, panels, verdicts});
}

}  // namespace wordsway
