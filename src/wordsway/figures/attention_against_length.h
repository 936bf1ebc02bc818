// The grid of Figure 3: an attention map against context length. Every map has the same grid.
#pragma once

#include <string>

#include "wordsway/figures/figure_registry.h"

namespace wordsway {

FigureStudy attention_against_length(const FigureSetting& setting, const std::string& map);

}  // namespace wordsway
