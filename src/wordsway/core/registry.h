// A table of named things (maps, later figures, architectures): looked up by name, iterated by the command line, the
// conformance tests and the benchmarks.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway {

template <typename Entry>
class Registry {
 public:
  explicit Registry(std::string kind) : kind_(std::move(kind)) {}

  /// Throws InternalError when the name is taken.
  void add(std::string name, Entry entry) {
    ensure(entries_.emplace(std::move(name), std::move(entry)).second, "two entries registered under one name");
  }

  /// Throws UsageError naming what there is, and what was probably meant, when `name` is unknown.
  const Entry& get(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) throw UsageError(unknown_name(kind_, name, names()));
    return found->second;
  }

  bool contains(const std::string& name) const { return entries_.count(name) > 0; }

  /// In alphabetical order.
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& [name, entry] : entries_) result.push_back(name);
    return result;
  }

 private:
  std::string kind_;
  std::map<std::string, Entry> entries_;
};

}  // namespace wordsway
