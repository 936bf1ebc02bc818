// How every command runs its study: journal, resume, estimate, Ctrl-C and the processes of a group, in one place.
//
//   const auto result = run_study_command(study, options.study, options.common);
//   if (!result) return;                       // a dry run, or not the first process
//   ... print result->rows ...
#pragma once

#include <functional>
#include <optional>

#include "options/common.h"
#include "options/study.h"
#include "system/process.h"
#include "wordsway/run/estimate.h"
#include "wordsway/run/run_study.h"

namespace wordsway::app {

/// Nothing when there is nothing to print: after --dry-run, which prints its estimate itself, and in all processes but
/// the first. Throws Interrupted after Ctrl-C, DataError when every trial failed, and what run_study throws; when
/// only some trials failed, stderr says so. `progress`, where given, takes the place of the usual bar.
/// `rows` is called as RunOptions::rows says.
std::optional<StudyResult> run_study_command(const Study& study, const StudyOptions& options,
                                             const CommonOptions& common, std::optional<Progress> progress = {},
                                             const std::function<void(Index, const std::vector<Record>&)>& rows = {});

/// The study of a single result of which more is wanted than its row. `wanted` says whether the study's observer got
/// it: where the row comes from a journal, nothing was computed, and the study is run again for it. The first process
/// works alone; the others have nothing to do.
std::optional<StudyResult> run_single_command(const Study& study, const StudyOptions& options,
                                              const CommonOptions& common, const std::function<bool()>& wanted);

/// What --dry-run says of one study, with tasks tried for about `pilot_seconds`.
Estimate estimate_command(const Study& study, const StudyOptions& options, double pilot_seconds);

}  // namespace wordsway::app
