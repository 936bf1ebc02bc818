// How long-running calls report what they are doing: a callback, so the library itself never prints.
#pragma once

#include <functional>
#include <string_view>

namespace wordsway {

struct ProgressEvent {
  std::string_view stage;  // what is being done, e.g. "measure"
  double done = 0;         // units of work finished ...
  double total = 0;        // ... of this many
  double share = -1;       // of the time it will take, where that is not done/total
};

/// May be empty. Called from one thread at a time.
using Progress = std::function<void(const ProgressEvent&)>;

}  // namespace wordsway
