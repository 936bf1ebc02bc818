// Times a piece of work.
#pragma once

#include <functional>

namespace wordsway::bench {

struct Milliseconds {
  double wall;
  double processor;  // of all threads together
};

/// Runs it once.
Milliseconds timed(const std::function<void()>& body);

}  // namespace wordsway::bench
