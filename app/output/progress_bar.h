// A moving bar on stderr.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "wordsway/core/progress.h"

namespace wordsway::app {

// Progress on stderr: a moving bar on a terminal, a line now and then elsewhere, nothing for short work or --quiet.

/// The bar itself; it is cleared when this object is destroyed.
class ProgressBar {
 public:
  ~ProgressBar();
  ProgressBar() = default;
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  double elapsed() const;
  /// `text` with the time that is left behind it; `share` of all time has passed, from 0 to 1.
  void show(double share, const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;

  bool terminal_ = is_terminal();
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_{};

  static bool is_terminal();
};

/// The bar is cleared when the last copy is destroyed.
Progress progress_on_stderr(bool quiet);

// Progress of a run of several parts: which one, how far it is, and when all will be done.

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
