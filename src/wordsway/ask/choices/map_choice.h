// Which maps are asked about, with the parameters that they declare and how their weights are held.
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
  ParameterLists parameters;  // those that were given

  /// Whether a parameter takes a list, every entry of which is a point of the study, or one value.
  enum class Takes { kList, kOne };
  static void describe(Fields<MapChoice>& fields, Takes takes);

  /// Throws UsageError when none of the maps has a parameter that was given, or it is out of their range.
  void check() const;
  /// The parameters where each takes one value.
  ParameterValues values() const;
};

}  // namespace wordsway
