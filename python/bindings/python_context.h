// The context of questions that Python asks.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/ask/collected_parts.h"

namespace wordsway::python {

class PythonContext final : public Context {
 public:
  struct Settings {
    Progress progress = {};
    std::function<std::string(std::string_view)> spell;  // names fields as Python does
    std::function<std::shared_ptr<const Model>(const std::string& name, const Device& device)> open;
    std::function<void(std::string_view)> text = {};  // receives the text as it is generated; empty if not wanted
  };

  explicit PythonContext(Settings settings) : settings_(std::move(settings)) {}

  void warn(const std::string& sentence) override;
  Progress progress() override { return settings_.progress; }
  bool stopped() const override;
  bool wants_arrays() const override { return true; }
  std::optional<StudyResult> run(const Study& study, const RunChoice& choice, const RunHooks& hooks = {}) override;
  std::optional<StudyResult> run_for(const Study& study, const RunChoice& choice,
                                     const std::function<bool()>& wanted) override;
  void begin_parts(const PartsStyle& style) override { parts_.begin(style); }
  void add_part(size_t number, Part part) override { parts_.add(number, std::move(part)); }
  void finish_parts(const PartsEnd& end = {}) override { parts_.finish(end); }
  void text(std::string_view side, std::string_view more) override;

  const CollectedParts& parts() const { return parts_; }
  std::vector<std::string> remarks() const;

 protected:
  std::shared_ptr<const Model> open(const std::string& name, const Device& device) override {
    return settings_.open(name, device);
  }

 private:
  Settings settings_;
  CollectedParts parts_;
  mutable std::mutex mutex_;
  std::vector<std::string> remarks_;
};

}  // namespace wordsway::python
