#include "shell/shell_context.h"

#include <fmt/format.h>
#include <unistd.h>

#include "output/estimate_text.h"
#include "output/progress_bar.h"
#include "shell/models.h"
#include "system/process.h"
#include "system/signals.h"
#include "system/streams.h"
#include "wordsway/core/error.h"
#include "wordsway/run/schedule.h"

namespace wordsway::app {
namespace {

EstimateOptions estimate_options(const RunChoice& choice) {
  EstimateOptions estimate;
  const double limit = choice.memory.value_or(default_memory_limit());
  estimate.memory_limit = process_group() == nullptr ? limit : limit / process_group()->local_size();
  estimate.processes = process_group() == nullptr ? 1 : process_group()->size();
  return estimate;
}

[[noreturn]] void throw_interrupted(const StudyResult& result, const RunChoice& choice) {
  if (choice.out.empty())
    throw Stopped(fmt::format("interrupted after {} of {} trials; with --out FILE.jsonl they would have been kept",
                              result.finished, result.tasks));
  throw Stopped(fmt::format("interrupted: {} of {} trials are in {}; run the same command again to go on",
                            result.finished, result.tasks, choice.out));
}

}  // namespace

ShellContext::ShellContext(Settings settings)
    : settings_(std::move(settings)),
      parts_(
          settings_.common.format, isatty(STDOUT_FILENO) != 0,
          settings_.for_people ? settings_.for_people : [](std::vector<Record> rows) { return rows; }) {}

void ShellContext::warn(const std::string& sentence) {
  if (leads()) say(settings_.common, settings_.spell ? settings_.spell(sentence) : sentence);
}

// Rows that scroll by on a terminal are progress enough.
Progress ShellContext::progress() {
  return progress_on_stderr(settings_.common.quiet || (shows_parts() && settings_.common.format != "json"));
}

bool ShellContext::shows_parts() const {
  return has_parts_ && !settings_.draws && isatty(STDOUT_FILENO) != 0;
}

bool ShellContext::stopped() const {
  return interrupted();
}

bool ShellContext::leads() const {
  return is_first_process();
}

bool ShellContext::is_shared() const {
  return process_group() != nullptr;
}

StudyResult ShellContext::run_with(ProcessGroup* group, const Study& study, const RunChoice& choice,
                                   const RunHooks& hooks, Progress progress) {
  RunOptions run;
  run.rows = hooks.see;
  run.progress = std::move(progress);
  run.journal = choice.out;
  run.memory_limit = choice.memory.value_or(0);
  run.stop = interrupted;
  run.remark = [this](const std::string& text) { warn(text); };
  run.group = group;
  StudyResult result;
  {
    // A single trial has no others that would be lost: a signal ends it at once, unless it can end early.
    std::optional<InterruptGuard> guard;
    if (!hooks.on_interrupt.empty()) {
      guard.emplace(hooks.on_interrupt.c_str());
    } else if (study.size() > 1) {
      guard.emplace();
    }
    result = run_study(study, run);
  }
  run.progress = {};  // clears its bar
  if (!is_first_process()) return result;
  if (result.interrupted() || (interrupted() && study.size() > 1)) throw_interrupted(result, choice);
  if (const auto remark = remark_on_failures(result)) warn(*remark);
  return result;
}

std::optional<StudyResult> ShellContext::run(const Study& study, const RunChoice& choice, const RunHooks& hooks,
                                             Progress progress) {
  if (choice.dry_run) {
    if (!is_first_process()) return std::nullopt;
    const EstimateOptions estimate = estimate_options(choice);
    const double held = held_memory();
    print_out(format_estimate(study, estimate_study(study, estimate), estimate, held, settings_.common.format));
    return std::nullopt;
  }
  StudyResult result = run_with(process_group(), study, choice, hooks, std::move(progress));
  return is_first_process() ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<StudyResult> ShellContext::run(const Study& study, const RunChoice& choice, const RunHooks& hooks) {
  return run(study, choice, hooks, hooks.tells_progress ? Progress() : progress());
}

std::optional<StudyResult> ShellContext::run_for(const Study& study, const RunChoice& choice,
                                                 const std::function<bool()>& wanted) {
  if (choice.dry_run) return run(study, choice, {});
  if (!is_first_process()) return std::nullopt;
  StudyResult result = run_with(nullptr, study, choice, {}, progress());
  if (!wanted()) {
    RunChoice again = choice;
    again.out.clear();
    run_with(nullptr, study, again, {}, progress());
  }
  return result;
}

void ShellContext::begin_parts(const PartsStyle& style) {
  has_parts_ = true;
  parts_.begin(style);
}

void ShellContext::add_part(size_t number, Part part) {
  if (leads()) parts_.add(number, std::move(part));
}

void ShellContext::finish_parts(const PartsEnd& end) {
  if (leads() && !shows_text()) parts_.finish(end);
}

bool ShellContext::shows_text() const {
  return settings_.common.format == "table" && isatty(STDOUT_FILENO) != 0;
}

void ShellContext::text(std::string_view side, std::string_view more) {
  if (side == "a" && has_parts_ && shows_text() && leads()) print_out(more);
}

std::shared_ptr<const Model> ShellContext::open(const std::string& name, const Device& device) {
  auto& model = models_[fmt::format("{} {} {}", name, to_string(device.kind), to_string(device.precision))];
  if (model == nullptr) model = std::make_shared<const Model>(open_model(name, device));
  return model;
}

std::shared_ptr<const Tokenizer> ShellContext::open_tokenizer(const std::string& name) {
  return load_tokenizer(model_folder(name));
}

Estimate estimate_cost(const Study& study, const RunChoice& choice, double pilot_seconds) {
  EstimateOptions estimate = estimate_options(choice);
  estimate.pilot_seconds = pilot_seconds;
  return estimate_study(study, estimate);
}

}  // namespace wordsway::app
