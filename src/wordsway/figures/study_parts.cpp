#include "wordsway/figures/study_parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

template <typename Config>
Config config_of_maps(const FigureSetting& setting) {
  Config config;
  config.seed = setting.seed;
  config.device.kind = setting.device.kind;
  return config;
}

}  // namespace

MeasureConfig measure_config(const FigureSetting& setting) {
  return config_of_maps<MeasureConfig>(setting);
}

GeneralizeConfig generalize_config(const FigureSetting& setting) {
  return config_of_maps<GeneralizeConfig>(setting);
}

ModelStudyConfig model_study_config(const FigureSetting& setting, Index layer) {
  return model_study_config(setting.transformer, *setting.texts, layer, setting.seed);
}

ModelStudyConfig model_study_config(std::shared_ptr<const Transformer> transformer, EncodedTexts texts, Index layer,
                                    std::uint64_t seed) {
  ModelStudyConfig config{std::move(transformer), std::move(texts)};
  config.layer = std::to_string(layer);
  config.output = {layer};
  config.seed = seed;
  // A move as long as the token itself, like the √d of the paper, whose tokens are scaled to √d.
  config.search.radius = {1, RadiusUnit::kTokenNorm};
  // Starts agree to within a percent, and further digits would be costly and show in no picture.
  config.search.starts = 1;
  config.search.max_iterations = 60;
  config.search.tolerance = 1e-3;
  return config;
}

Sizes possible_lengths(const FigureSetting& setting, const std::vector<Index>& wanted, Index trials) {
  Sizes result;
  std::vector<Index> left_out;
  for (const Index n : wanted) {
    Index long_enough = 0;
    for (Index text = 0; text < setting.texts->size(); ++text) long_enough += setting.texts->length(text) >= n;
    (long_enough >= trials ? result.values : left_out).push_back(n);
  }
  if (result.values.empty())
    throw DataError(fmt::format("{}: figures of the model need {} texts of {} tokens or more", setting.texts->name(),
                                trials, wanted.front()));
  if (!left_out.empty())
    result.note =
        fmt::format("fewer than {} texts have {} tokens, which are left out", trials, fmt::join(left_out, ", "));
  return result;
}

}  // namespace wordsway
