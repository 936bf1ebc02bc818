// What figures begin their studies with.
#pragma once

#include <memory>

#include "wordsway/figures/figure_setting.h"
#include "wordsway/study/generalize_study.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/study/model_study.h"

namespace wordsway {

/// Studies of maps with the seed and on the device of the setting, where maps are computed in double whatever the
/// precision of models; all else is the caller's.
MeasureConfig measure_config(const FigureSetting& setting);
GeneralizeConfig generalize_config(const FigureSetting& setting);

/// The model of the setting on its texts up to a layer; sizes, token and trials are the caller's.
ModelStudyConfig model_study_config(const FigureSetting& setting, Index layer);

/// Any model on any texts, likewise. A model is computed where its engine is.
ModelStudyConfig model_study_config(std::shared_ptr<const Transformer> transformer, EncodedTexts texts, Index layer,
                                    std::uint64_t seed);

/// Of these sizes, those the model and the texts allow: at least `trials` texts are so long. The note names those left
/// out.
Sizes possible_lengths(const FigureSetting& setting, const std::vector<Index>& wanted, Index trials);

}  // namespace wordsway
