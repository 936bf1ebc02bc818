// Which data are taken when none are named: the built-in reviews where they are large enough, else made-up samples.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

inline constexpr const char *kBuiltinData = "builtin", *kSyntheticData = "spiked:0.3";

struct NamedData {
  std::string name;    // "builtin", or a law of made-up samples
  std::string remark;  // what was chosen and how to choose; empty when `given` says it
};

/// `given` is what the user named, empty when nothing; n and d are all the sizes that will be asked for.
NamedData name_data(const std::string& given, const std::vector<Index>& n, const std::vector<Index>& d);

}  // namespace wordsway
