// The context of questions that are asked in a shell: results to standard output, everything else to stderr; studies
// with their journal, estimate, progress, Ctrl-C and the processes of a group.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "options/common.h"
#include "shell/parts_printer.h"
#include "wordsway/ask/context.h"
#include "wordsway/run/estimate.h"

namespace wordsway::app {

class ShellContext : public Context {
 public:
  struct Settings {
    CommonOptions common;
    bool draws = false;                                       // whether a chart was requested
    std::function<std::string(std::string_view)> spell = {};  // names fields as in a shell; may be empty
    std::function<std::vector<Record>(std::vector<Record>)> for_people = {};  // chooses the columns of tables
  };
  explicit ShellContext(Settings settings);

  void warn(const std::string& sentence) override;
  Progress progress() override;
  bool stopped() const override;
  bool leads() const override;
  bool is_shared() const override;
  bool wants_chart() const override { return settings_.draws; }
  std::optional<StudyResult> run(const Study& study, const RunChoice& choice, const RunHooks& hooks = {}) override;
  std::optional<StudyResult> run_for(const Study& study, const RunChoice& choice,
                                     const std::function<bool()>& wanted) override;
  void begin_parts(const PartsStyle& style) override;
  void add_part(size_t number, Part part) override;
  void finish_parts(const PartsEnd& end = {}) override;
  void text(std::string_view side, std::string_view more) override;
  bool shows_text() const override;

  /// Runs the study with a progress callback other than the usual bar.
  std::optional<StudyResult> run(const Study& study, const RunChoice& choice, const RunHooks& hooks, Progress progress);

 protected:
  std::shared_ptr<const Model> open(const std::string& name, const Device& device) override;
  std::shared_ptr<const Tokenizer> open_tokenizer(const std::string& name) override;

 private:
  StudyResult run_with(ProcessGroup* group, const Study& study, const RunChoice& choice, const RunHooks& hooks,
                       Progress progress);
  bool shows_parts() const;

  Settings settings_;
  PartsPrinter parts_;
  bool has_parts_ = false;
  std::map<std::string, std::shared_ptr<const Model>> models_;  // by name and device
};

/// Estimates one study for a dry run by running tasks for about `pilot_seconds`.
Estimate estimate_cost(const Study& study, const RunChoice& choice, double pilot_seconds);

}  // namespace wordsway::app
