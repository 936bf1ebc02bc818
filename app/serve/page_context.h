// The context of questions that a page asks: served models, a job's events, and no more than a page can wait for.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "serve/job_queue.h"
#include "serve/served_models.h"
#include "wordsway/ask/collected_parts.h"

namespace wordsway::serve {

/// The longest text in tokens, whatever a model takes.
inline constexpr Index kMostTokens = 2048;
/// The most rows of a study.
inline constexpr Index kMostResults = 2000;

/// The model, loaded where it is not loaded yet; that is told.
std::shared_ptr<const Model> open_model(const ServedModels& models, const std::string& name, Job& job);

class PageContext final : public Context {
 public:
  /// `spell` names fields as a page does.
  PageContext(const ServedModels& models, Job& job, std::function<std::string(std::string_view)> spell)
      : models_(models), job_(job), spell_(std::move(spell)) {}

  void warn(const std::string& sentence) override;
  Progress progress() override { return job_.progress(); }
  bool is_page() const override { return true; }
  void check_length(Index tokens) const override;
  void check_results(Index results) const override;
  std::optional<StudyResult> run(const Study& study, const RunChoice& choice, const RunHooks& hooks = {}) override;
  std::optional<StudyResult> run_for(const Study& study, const RunChoice& choice,
                                     const std::function<bool()>& wanted) override;
  void begin_parts(const PartsStyle& style) override { parts_.begin(style); }
  void add_part(size_t number, Part part) override { parts_.add(number, std::move(part)); }
  void finish_parts(const PartsEnd& end = {}) override;
  void preview(const Record& row) override;
  void text(std::string_view side, std::string_view more) override;

  /// The document of the parts.
  std::string json() const { return parts_.json(); }

 protected:
  std::shared_ptr<const Model> open(const std::string& name, const Device& device) override;

 private:
  const ServedModels& models_;
  Job& job_;
  std::function<std::string(std::string_view)> spell_;
  CollectedParts parts_;
};

}  // namespace wordsway::serve
