// Progress of a run of several parts: which one, how far it is, and when all will be done.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/core/progress.h"

namespace wordsway::app {

class ProgressBar;

struct RunPart {
  std::string name;
  double seconds;  // expected; only ratios matter
};

class RunProgress {
 public:
  RunProgress(bool quiet, std::vector<RunPart> parts);

  /// For part k, all before it being done.
  Progress part(size_t k) const;

 private:
  std::vector<RunPart> parts_;
  double total_ = 0;
  std::shared_ptr<ProgressBar> bar_;  // none when quiet
};

}  // namespace wordsway::app
