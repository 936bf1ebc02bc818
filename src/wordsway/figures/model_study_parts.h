// What the figures on the model itself as the map share.
#pragma once

#include <memory>

#include "wordsway/figures/figure_setting.h"
#include "wordsway/study/model_study.h"

namespace wordsway {

/// The model of the setting on its texts up to a layer; sizes, token and trials are the caller's.
ModelStudyConfig model_study_config(const FigureSetting& setting, Index layer);

/// Any model on any texts, likewise.
ModelStudyConfig model_study_config(std::shared_ptr<const Transformer> transformer, EncodedTexts texts, Index layer,
                                    std::uint64_t seed);

/// Of these sizes, those the model and the texts allow: at least `trials` texts are so long. The note names those left
/// out.
Sizes possible_lengths(const FigureSetting& setting, const std::vector<Index>& wanted, Index trials);

}  // namespace wordsway
