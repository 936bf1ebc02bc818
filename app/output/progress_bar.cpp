#include "output/progress_bar.h"

#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "output/durations.h"
#include "output/streams.h"

namespace wordsway::app {
namespace {

constexpr double kQuietSeconds = 2;  // shorter work shows nothing
constexpr double kBarSeconds = 0.1, kLineSeconds = 15;
constexpr int kBarWidth = 30;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

ProgressBar::~ProgressBar() {
  if (terminal_ && shown_) write_error({"\r\033[K"});
}

bool ProgressBar::is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

double ProgressBar::elapsed() const {
  return seconds_since(begin_);
}

void ProgressBar::show(double share, const std::string& text) {
  if (elapsed() < kQuietSeconds) return;
  if (shown_ && seconds_since(last_) < (terminal_ ? kBarSeconds : kLineSeconds)) return;
  last_ = Clock::now();
  shown_ = true;
  const std::string left = share > 0 ? format_duration(elapsed() * (1 - share) / share) : "?";
  if (terminal_) {
    const std::string filled(static_cast<size_t>(share * kBarWidth), '#');
    write_error({fmt::format("\r\033[K[{:<{}}] {}, {} left", filled, kBarWidth, text, left)});
  } else {
    write_error({text, ", ", left, " left\n"});
  }
}

Progress progress_on_stderr(bool quiet) {
  if (quiet) return {};
  return [bar = std::make_shared<ProgressBar>()](const ProgressEvent& event) {
    if (event.total <= 0) return;
    bar->show(event.share >= 0 ? event.share : event.done / event.total,
              fmt::format("{} {:.0f}/{:.0f}, {:.3g} a second", event.stage, event.done, event.total,
                          event.done / bar->elapsed()));
  };
}

}  // namespace wordsway::app
