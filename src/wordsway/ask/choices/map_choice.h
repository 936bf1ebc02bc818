// The maps of a request, their declared parameters, and how to hold their weights.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/ask/fields.h"
#include "wordsway/maps/declared_parameters.h"

namespace wordsway {

struct MapChoice {
  std::vector<std::string> maps = {"raf"};
  std::string random;
  ParameterLists parameters;  // the given ones

  /// Whether a parameter takes one value or a list, each entry of which is a point of the study.
  enum class Takes { kList, kOne };
  static void describe(Fields<MapChoice>& fields, Takes takes);

  /// Throws UsageError if no map has a given parameter, or its value is out of range.
  void check() const;
  /// The parameters, if each takes one value.
  ParameterValues values() const;
};

}  // namespace wordsway
