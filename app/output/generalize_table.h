// Results of a generalisation study for people: one line a point, training, objective and penalty; means over trials.
#pragma once

#include "output/rows.h"

namespace wordsway::app {

/// The output in one of the four formats; `table` is for people.
std::string format_generalization(const StudyOutput& output, const std::string& format);

}  // namespace wordsway::app
