// Which data are taken when nobody says: the built-in reviews where they are large enough, else made-up samples.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway::app {

inline constexpr const char *kBuiltinData = "builtin", *kSyntheticData = "spiked:0.3";

struct NamedData {
  std::string name;    // as after --data
  std::string remark;  // what was chosen and how to choose; empty when `given` says it
};

/// `given` is what came with --data, empty when nothing did.
NamedData name_data(const std::string& given, const std::vector<Index>& n, const std::vector<Index>& d);

}  // namespace wordsway::app
