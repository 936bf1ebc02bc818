#include "serve/page_context.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/json.h"
#include "wordsway/run/schedule.h"

namespace wordsway::serve {

std::shared_ptr<const Model> open_model(const ServedModels& models, const std::string& name, Job& job) {
  if (auto model = models.loaded(name)) return model;
  job.tell_progress({"loading " + name, 0, 1});
  auto model = models.get(name);
  job.tell_progress({"loading " + name, 1, 1});
  return model;
}

void PageContext::warn(const std::string& sentence) {
  job_.tell("remark", to_json(Record{{"message", spell_(sentence)}}));
}

void PageContext::check_length(Index tokens) const {
  if (tokens > kMostTokens)
    throw UsageError(fmt::format("the text has {} tokens; the page takes at most {}", tokens, kMostTokens));
}

void PageContext::check_results(Index results) const {
  if (results > kMostResults)
    throw UsageError(fmt::format("this asks for {} results; the page takes at most {}", results, kMostResults));
}

std::optional<StudyResult> PageContext::run(const Study& study, const RunChoice& /*choice*/, const RunHooks& hooks) {
  RunOptions run;
  if (!hooks.tells_progress) run.progress = job_.progress();
  run.memory_limit = 0.5 * default_memory_limit();
  run.remark = [this](const std::string& sentence) { warn(sentence); };
  run.rows = [&](Index task, const std::vector<Record>& rows) {
    if (hooks.see) hooks.see(task, rows);
    if (hooks.shows_rows && !parts_.any_expected())
      for (const Record& row : rows) job_.tell("row", to_json(row));
  };
  StudyResult found = run_study(study, run);
  if (const auto remark = remark_on_failures(found)) warn(*remark);
  return found;
}

std::optional<StudyResult> PageContext::run_for(const Study& study, const RunChoice& choice,
                                                const std::function<bool()>& /*wanted*/) {
  return run(study, choice);
}

// Rows of parts that are no objects are shown as they are, at once.
void PageContext::finish_parts(const PartsEnd& end) {
  parts_.finish(end);
  if (parts_.as_objects()) return;
  for (const Record& row : parts_.rows()) job_.tell("row", to_json(row));
}

void PageContext::preview(const Record& row) {
  job_.tell("row", to_json(row));
}

// The text that has become certain after a token, or nothing.
void PageContext::text(std::string_view side, std::string_view more) {
  if (!more.empty()) job_.tell("token", to_json(Record{{"side", std::string(side)}, {"text", std::string(more)}}));
}

std::shared_ptr<const Model> PageContext::open(const std::string& name, const Device& /*device*/) {
  models_.check(name);
  return open_model(models_, name, job_);
}

}  // namespace wordsway::serve
