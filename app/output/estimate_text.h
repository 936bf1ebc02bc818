// What a study would cost, as text.
#pragma once

#include <string>

#include "wordsway/run/estimate.h"

namespace wordsway::app {

/// Bytes this process holds now.
double held_memory();

/// The estimate in one of the four formats; `held` is what the program holds before the study begins.
std::string format_estimate(const Study& study, const Estimate& estimate, const EstimateOptions& options, double held,
                            const std::string& format);

// Times for people.

/// "0.4 s", "12 s", "3:05", "2:00:09".
std::string format_duration(double seconds);

}  // namespace wordsway::app
