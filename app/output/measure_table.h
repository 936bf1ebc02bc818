// Results of a measurement for people: one line a point, mean and standard deviation over trials, then the exponents.
#pragma once

#include "output/rows.h"

namespace wordsway::app {

/// The output in one of the four formats; `table` is for people.
std::string format_study(const StudyOutput& output, const std::string& format);

}  // namespace wordsway::app
