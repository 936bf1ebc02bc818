// Keeps the parts of an answer until all have arrived, for front ends that return one document.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wordsway/ask/context.h"

namespace wordsway {

class CollectedParts {
 public:
  void begin(const PartsStyle& style);
  /// Parts may come in any order. A part that comes again replaces the earlier one.
  void add(size_t number, Part part) { parts_[number] = std::move(part); }

  void finish(const PartsEnd& end) { end_ = end; }

  /// Whether the answer comes in parts.
  bool any_expected() const { return has_begun_; }
  bool as_objects() const { return style_.as_objects; }
  const std::map<size_t, Part>& parts() const { return parts_; }
  /// The rows of all parts, in order.
  std::vector<Record> rows() const;
  /// The document of the command: one object, a list of objects, one list of all rows, or these with their summaries.
  std::string json() const;
  /// The document for people. `columns` drops the columns they are not shown.
  std::string table(const std::function<std::vector<Record>(std::vector<Record>)>& columns) const;

 private:
  bool has_begun_ = false;
  PartsStyle style_;
  PartsEnd end_;
  std::map<size_t, Part> parts_;
};

/// All rows with the summaries: {"rows": […], "noticed": {…}}.
std::string json_with_summaries(const std::vector<Record>& rows, const PartsEnd& end);

}  // namespace wordsway
