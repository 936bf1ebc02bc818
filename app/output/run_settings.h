// How a run was made, for the report's tables.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "wordsway/run/run_study.h"

namespace wordsway::app {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// What decides the rows of a study, as text; what is not set is left out.
Settings settings_of(const Study& study);
/// version, compiler, machine, threads.
Settings settings_of_machine();

/// Seconds of work that the rows tell of. The rows of one task share what they begin with: it counts once.
double seconds_of(const Study& study, const StudyResult& result);

}  // namespace wordsway::app
