// Not shown in the paper: deep random features cannot learn a one-word change either.
#include "wordsway/figures/judge.h"
#include "wordsway/figures/learning_rows.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/study/generalize_study.h"

namespace wordsway {
namespace {

constexpr double kLeastUnseen = 1.8;  // as in generalization.cpp; deep features are a little more sensitive

FigureStudy study(const FigureSetting& setting) {
  const Sizes sizes = model_dimensions(setting);
  GeneralizeConfig config = generalize_config(setting);
  config.maps = {"drf"};
  config.map.set("depth", 2);
  config.n = {40};
  config.d = {setting.by_profile<Index>(sizes.values.front(), sizes.values.front(), sizes.values.back())};
  config.training_sizes = setting.by_profile<std::vector<Index>>({50}, {100}, {100, 700});
  config.trials = setting.by_profile<Index>(2, 3, 5);
  config.plan.descent.starts = 2;  // deferred weights take more memory with every evaluation
  config.plan.descent.tolerance = 1e-5;
  config.data = labels_of(setting);
  return {std::make_shared<GeneralizeStudy>(config), sizes.note};
}

std::vector<FigurePanel> panels(const Rows& rows) {
  return learning_panels(rows, "train_size");
}

std::vector<Verdict> verdicts(const Rows& rows) {
  return {judge_above(
      {"On deep random features no move of one word is learnt: √error + γ ≥ 2 up to a small term.", "beyond the paper"},
      "smallest √error + γ", least_unseen(rows), kLeastUnseen, at_size(rows, "n"))};
}

}  // namespace

void register_deep_generalization(FigureRegistry& registry) {
  registry.add("deep-generalization",
               {67, "Learning on deep random features",
                "Beyond the paper, whose statements on learning are about random features of one layer.",
                "Two layers. All points lie on the dashed curve, as for one layer.",
                "the words of the texts, as vectors of the model's embedding", study, panels, verdicts});
}

}  // namespace wordsway
