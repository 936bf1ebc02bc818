// Figure 5 of the paper: a penalty on γ finds moves that the old model does not notice.
#include "wordsway/figures/judge.h"
#include "wordsway/figures/learning_rows.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/study/generalize_study.h"

namespace wordsway {
namespace {

constexpr double kMostUnseen = 1.75;  // mean √error + γ of softmax attention, clearly below the 2 of random features
constexpr double kLeastLoss = 0.1;    // of ReLU attention over softmax attention

FigureStudy study(const FigureSetting& setting) {
  const Sizes sizes = model_dimensions(setting);
  GeneralizeConfig config = generalize_config(setting);
  config.maps = {"raf", "raf-relu"};
  config.n = {40, 120};
  config.d = {sizes.values.back()};
  config.training_sizes = {setting.by_profile<Index>(50, 200, 400)};
  config.trials = setting.by_profile<Index>(3, 5, 10);
  config.plan.objectives = {ObjectiveKind::kError};
  config.plan.penalties = {1, 0.1, 0.01};
  config.data = labels_of(setting);
  return {std::make_shared<GeneralizeStudy>(config), sizes.note};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return learning_panels(rows, "penalty");
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows longest = at_largest(rows_where(rows, "penalty", 1), "n");
  const auto of = [&](const char* map) { return unseen(rows_where(longest, "map", map)); };
  const std::string where_text = at_size(longest, "n") + ", penalty 1";
  return {
      judge_below({"On softmax attention moves of one word are learnt that the old model hardly noticed.", "Figure 5"},
                  "mean √error + γ", mean_of(of("raf")), kMostUnseen, where_text),
      judge_above(
          {"In long texts moves of one word are learnt worse on ReLU attention than on softmax attention.", "Figure 5"},
          "mean √error + γ of raf-relu less that of raf", difference_of(of("raf-relu"), of("raf")), kLeastLoss,
          where_text)};
}

}  // namespace

void register_penalty(FigureRegistry& registry) {
  registry.add(
      "penalty",
      {50, "Learning moves that were not noticed before",
       "Figure 5: with a penalty on γ, softmax attention still finds moves of small error; ReLU attention does so "
       "for short texts and less for long ones.",
       "The objective is error + penalty·γ². The further below the dashed curve max(0, 2 − γ)², the more is "
       "learnt from the one new sample.",
       "the words of the texts, as vectors of the model's embedding", study, panels, verdicts});
}

}  // namespace wordsway
