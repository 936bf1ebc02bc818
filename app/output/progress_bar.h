// Progress on stderr: a moving bar on a terminal, a line now and then elsewhere, nothing for short work or --quiet.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "wordsway/core/progress.h"

namespace wordsway::app {

/// "[#####     ] text, 3:05 left" on at most `width` − 1 characters: a terminal that is filled to its last column goes
/// to the next line, where the bar could not be wiped away. Where room is short, the bar shrinks and then goes, then
/// the text is cut with an ellipsis, and last what is left goes; of a terminal of fewer than two columns nothing is
/// left. `share` is from 0 to 1; what lies outside is moved to its end.
std::string progress_line(double share, const std::string& text, const std::string& left, int width);

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

/// A part of a run.
struct RunPart {
  std::string name;
  double seconds;  // expected; only ratios matter
};

/// Progress of a run of several parts: which one, how far it is, and when all will be done.
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
