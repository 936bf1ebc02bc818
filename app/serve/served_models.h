// The models that a server works with, under names: no path comes from a page, and none goes there.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"

namespace wordsway::serve {

/// A name, where the model is, and where it is to be computed.
struct ModelPlace {
  std::string name;
  std::filesystem::path path;
  Device device = {};
};

/// Names for folders that a user gave: the last part of each path, made different by numbers; those of `taken` are
/// taken already.
std::vector<ModelPlace> named_places(const std::vector<std::filesystem::path>& paths,
                                     std::vector<ModelPlace> taken = {}, const Device& device = {});

/// Loads each model once, when it is first asked for. Thread-safe.
class ServedModels {
 public:
  explicit ServedModels(std::vector<ModelPlace> places);

  std::vector<std::string> names() const;
  /// Throws UsageError when there is no such model.
  void check(const std::string& name) const;
  /// The model, or null while it is not loaded.
  std::shared_ptr<const Model> loaded(const std::string& name) const;
  /// The model, loaded where it is not yet; whoever asks meanwhile waits. Throws UsageError when there is no such
  /// model, and what load_model throws, each time, when it cannot be read.
  std::shared_ptr<const Model> get(const std::string& name) const;

 private:
  struct Slot {
    ModelPlace place;
    mutable std::mutex loading;  // held while it is read
    mutable std::mutex mutex;    // of `model`
    mutable std::shared_ptr<const Model> model;
  };

  const Slot& slot(const std::string& name) const;

  std::vector<std::unique_ptr<Slot>> slots_;
};

}  // namespace wordsway::serve
