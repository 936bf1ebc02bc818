// The exception of commands whose check failed.
#pragma once

#include <stdexcept>

namespace wordsway::app {

/// A verdict or a check that failed: everything was done and written, and the program ends with 1.
class CheckFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace wordsway::app
