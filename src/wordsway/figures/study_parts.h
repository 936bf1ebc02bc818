// Starting points for the studies of figures.
#pragma once

#include <memory>

#include "wordsway/figures/figure_setting.h"
#include "wordsway/study/generalize_study.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/model_study.h"

namespace wordsway {

/// A study of maps with the seed and device of the setting, always in double; the caller sets everything else.
MeasureConfig measure_config(const FigureSetting& setting);
GeneralizeConfig generalize_config(const FigureSetting& setting);

/// A study of the setting's model and texts up to a layer; the caller sets sizes, token and trials.
ModelStudyConfig model_study_config(const FigureSetting& setting, Index layer);

/// Likewise for any model and texts. A model runs on the device of its engine.
ModelStudyConfig model_study_config(std::shared_ptr<const Transformer> transformer, EncodedTexts texts, Index layer,
                                    std::uint64_t seed);

/// The sizes that the model and the texts allow: at least `trials` texts must be that long. The note names those left
/// out.
Sizes possible_lengths(const FigureSetting& setting, const std::vector<Index>& wanted, Index trials);

}  // namespace wordsway
