// The flags of the parameters that maps declare: --NAME for every parameter of every map.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "wordsway/maps/declared_parameters.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// Must stay where it is between add_to and the end of parsing.
class ParameterOptions {
 public:
  /// Whether a flag takes a list, every entry of which is a point of the study, or one value.
  enum class Takes { kList, kOne };

  void add_to(CLI::App& command, Takes takes);

  /// What was given. Throw UsageError naming the flag when a text is not of the parameter's type or out of its range,
  /// when there are several values where one is meant, and when none of the maps has the parameter: that is a mistake,
  /// not a wish.
  ParameterLists lists(const MapNames& maps) const;
  ParameterValues values(const MapNames& maps) const;

 private:
  std::map<std::string, std::string> texts_;  // of the flags that were given, by name
};

}  // namespace wordsway::app
