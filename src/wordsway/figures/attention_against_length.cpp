#include "wordsway/figures/attention_against_length.h"

#include "wordsway/figures/study_parts.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {

FigureStudy attention_against_length(const FigureSetting& setting, const std::string& map) {
  const Sizes sizes = model_dimensions(setting);
  MeasureConfig config = measure_config(setting);
  config.maps = {map};
  config.d = sizes.values;
  config.n = setting.by_profile<std::vector<Index>>({10, 30, 100}, {10, 20, 50, 100, 150, 200, 250},
                                                    {10, 20, 50, 100, 150, 200, 250});
  config.trials = setting.by_profile<Index>(6, 10, 10);
  config.data = setting.data;
  return {std::make_shared<MeasureStudy>(config), sizes.note};
}

}  // namespace wordsway
