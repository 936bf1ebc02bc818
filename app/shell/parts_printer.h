// Prints an answer of many parts as one document while its parts are made one after the other.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/ask/context.h"

namespace wordsway::app {

/// Prints to standard output. All formats but a JSON list of rows and a table of all rows are written part by part, so
/// that what is done is there when a later part fails.
class PartsPrinter {
 public:
  /// `for_people` chooses the columns of tables.
  PartsPrinter(std::string format, bool coloured, std::function<std::vector<Record>(std::vector<Record>)> for_people)
      : format_(std::move(format)), coloured_(coloured), for_people_(std::move(for_people)) {}

  void begin(const PartsStyle& style);
  /// Takes parts in any order. A part is printed as soon as all parts before it are.
  void add(size_t number, Part part);
  /// The end of the document.
  void finish(const PartsEnd& end = {});

 private:
  void print(const Part& part);
  void print_table(const Part& part);
  void print_object(const std::string& object);
  void print_csv(const std::string& lines);

  std::string format_;
  bool coloured_;
  std::function<std::vector<Record>(std::vector<Record>)> for_people_;
  PartsStyle style_;
  std::map<size_t, Part> waiting_;
  size_t done_ = 0;
  bool has_output_ = false;
  std::vector<Record> rows_;          // that are written together at the end
  std::optional<std::string> first_;  // the object of the first part: a list only where a second one comes
};

}  // namespace wordsway::app
