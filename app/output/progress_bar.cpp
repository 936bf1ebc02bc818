#include "output/progress_bar.h"

#include <chrono>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include "output/durations.h"

namespace wordsway::app {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kQuietSeconds = 2;  // shorter work shows nothing
constexpr double kBarSeconds = 0.1, kLineSeconds = 15;
constexpr int kBarWidth = 30;

class Bar {
 public:
  ~Bar() {
    if (terminal_ && shown_) fmt::print(stderr, "\r\033[K");
  }

  void show(const ProgressEvent& event) {
    const double elapsed = seconds_since(begin_);
    if (elapsed < kQuietSeconds || event.total <= 0) return;
    if (shown_ && seconds_since(last_) < (terminal_ ? kBarSeconds : kLineSeconds)) return;
    last_ = Clock::now();
    shown_ = true;
    const double share = event.share >= 0 ? event.share : event.done / event.total;
    const std::string left = share > 0 ? format_duration(elapsed * (1 - share) / share) : "?";
    const std::string text = fmt::format("{} {:.0f}/{:.0f}, {:.3g} a second, {} left", event.stage, event.done,
                                         event.total, event.done / elapsed, left);
    if (terminal_) {
      const std::string filled(static_cast<size_t>(share * kBarWidth), '#');
      fmt::print(stderr, "\r\033[K[{:<{}}] {}", filled, kBarWidth, text);
    } else {
      fmt::print(stderr, "{}\n", text);
    }
  }

 private:
  static double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now(), last_{};
};

}  // namespace

Progress progress_on_stderr(bool quiet) {
  if (quiet) return {};
  return [bar = std::make_shared<Bar>()](const ProgressEvent& event) { bar->show(event); };
}

}  // namespace wordsway::app
