// What to say about a chart whose characters this machine cannot draw.
#pragma once

#include <string>
#include <vector>

#include "options/common.h"
#include "wordsway/text/corpus/corpus.h"

namespace wordsway::app {

/// For a chart of these texts as .png or .pdf: says on stderr when no font of this machine has some of their
/// characters. An .svg is shown with the fonts of its reader, so nothing is said about one.
void tell_missing_fonts(const std::string& chart, const std::vector<LabelledText>& texts, const CommonOptions& common);

}  // namespace wordsway::app
