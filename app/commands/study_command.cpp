#include "commands/study_command.h"

#include <fmt/format.h>

#include "output/estimate_text.h"
#include "output/progress_bar.h"
#include "system/signals.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/run/schedule.h"

namespace wordsway::app {
namespace {

double limit_of(const StudyOptions& options) {
  const double limit = options.memory_limit > 0 ? options.memory_limit : default_memory_limit();
  return process_group() == nullptr ? limit : limit / process_group()->local_size();
}

EstimateOptions estimate_options(const StudyOptions& options) {
  EstimateOptions estimate;
  estimate.memory_limit = limit_of(options);
  estimate.processes = process_group() == nullptr ? 1 : process_group()->size();
  return estimate;
}

void print_estimate(const Study& study, const StudyOptions& options, const CommonOptions& common) {
  const EstimateOptions estimate = estimate_options(options);
  const double held = held_memory();
  print_out(format_estimate(study, estimate_study(study, estimate), estimate, held, common.format));
}

[[noreturn]] void throw_interrupted(const StudyResult& result, const StudyOptions& options) {
  if (options.out.empty())
    throw Interrupted(fmt::format("interrupted after {} of {} trials; with --out FILE.jsonl they would have been kept",
                                  result.finished, result.tasks));
  throw Interrupted(fmt::format("interrupted: {} of {} trials are in {}; run the same command again to go on",
                                result.finished, result.tasks, options.out));
}

// With the processes of a group, or (nullptr) this one alone.
StudyResult run_with(ProcessGroup* group, const Study& study, const StudyOptions& options, const CommonOptions& common,
                     Progress progress, const std::function<void(Index, const std::vector<Record>&)>& rows = {}) {
  RunOptions run;
  run.rows = rows;
  run.progress = std::move(progress);
  run.journal = options.out;
  run.memory_limit = options.memory_limit;
  run.stop = interrupted;
  run.remark = [&](const std::string& text) { say(common, text); };
  run.group = group;
  StudyResult result;
  {
    // A single trial has no others that would be lost: a signal ends it at once.
    std::optional<InterruptGuard> guard;
    if (study.size() > 1) guard.emplace();
    result = run_study(study, run);
  }
  run.progress = {};  // clears its bar
  if (!is_first_process()) return result;
  if (result.interrupted() || interrupted()) throw_interrupted(result, options);
  if (const auto remark = remark_on_failures(result)) say(common, *remark);
  return result;
}

}  // namespace

std::optional<StudyResult> run_study_command(const Study& study, const StudyOptions& options,
                                             const CommonOptions& common, std::optional<Progress> progress,
                                             const std::function<void(Index, const std::vector<Record>&)>& rows) {
  if (options.dry_run) {
    if (is_first_process()) print_estimate(study, options, common);
    return std::nullopt;
  }
  StudyResult result = run_with(process_group(), study, options, common,
                                progress ? *std::move(progress) : progress_on_stderr(common.quiet), rows);
  return is_first_process() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<StudyResult> run_single_command(const Study& study, const StudyOptions& options,
                                              const CommonOptions& common, const std::function<bool()>& wanted) {
  if (options.dry_run) return run_study_command(study, options, common);
  if (!is_first_process()) return std::nullopt;
  StudyResult result = run_with(nullptr, study, options, common, progress_on_stderr(common.quiet));
  if (!wanted()) {
    StudyOptions again = options;
    again.out.clear();
    run_with(nullptr, study, again, common, progress_on_stderr(common.quiet));
  }
  return result;
}

Estimate estimate_command(const Study& study, const StudyOptions& options, double pilot_seconds) {
  EstimateOptions estimate = estimate_options(options);
  estimate.pilot_seconds = pilot_seconds;
  return estimate_study(study, estimate);
}

}  // namespace wordsway::app
