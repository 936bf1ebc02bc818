#include "python_context.h"

#include "wordsway/core/stop.h"

namespace wordsway::python {

void PythonContext::warn(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  remarks_.push_back(settings_.spell(sentence));
}

std::vector<std::string> PythonContext::remarks() const {
  const std::lock_guard lock(mutex_);
  return remarks_;
}

bool PythonContext::stopped() const {
  return stop_requested();
}

std::optional<StudyResult> PythonContext::run(const Study& study, const RunChoice& choice, const RunHooks& hooks) {
  RunOptions run;
  if (!hooks.tells_progress) run.progress = settings_.progress;
  run.journal = choice.out;
  run.memory_limit = choice.memory.value_or(0);
  run.remark = [this](const std::string& sentence) { warn(sentence); };
  run.rows = hooks.see;
  StudyResult found = run_study(study, run);
  if (const auto remark = remark_on_failures(found)) warn(*remark);
  return found;
}

// If the row came from a journal, nothing was computed, so the study runs again without one.
std::optional<StudyResult> PythonContext::run_for(const Study& study, const RunChoice& choice,
                                                  const std::function<bool()>& wanted) {
  auto found = run(study, choice);
  if (wanted()) return found;
  RunChoice again = choice;
  again.out.clear();
  run(study, again);
  return found;
}

void PythonContext::text(std::string_view /*side*/, std::string_view more) {
  if (settings_.text) settings_.text(more);
}

}  // namespace wordsway::python
