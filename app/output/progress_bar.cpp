#include "output/progress_bar.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "output/estimate_text.h"
#include "system/streams.h"
#include "system/terminal.h"
#include "wordsway/core/text_layout.h"

namespace wordsway::app {

namespace {

constexpr size_t kWidestBar = 30, kNarrowestBar = 6, kFrame = 3;  // [, ] and a space
constexpr size_t kShortestText = 8;                               // less says nothing

bool begins_character(char c) {
  return (c & 0xc0) != 0x80;
}

// At most `width` characters, the last of them an ellipsis where some are missing.
std::string cut(const std::string& text, size_t width) {
  if (width_of(text) <= width) return text;
  if (width == 0) return "";
  size_t end = 0, kept = 0;
  while (kept < width || !begins_character(text[end])) {
    if (begins_character(text[end]) && ++kept == width) break;
    ++end;
  }
  return text.substr(0, end) + "…";
}

std::string bar(double share, size_t width) {
  const double within = share > 0 ? std::min(share, 1.0) : 0;  // nan is 0, too
  return fmt::format("[{:<{}}] ", std::string(static_cast<size_t>(within * static_cast<double>(width)), '#'), width);
}

constexpr double kQuietSeconds = 2;  // shorter work shows nothing
constexpr double kBarSeconds = 0.1, kLineSeconds = 15;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

std::string progress_line(double share, const std::string& text, const std::string& left, int width) {
  const size_t room = width > 1 ? static_cast<size_t>(width) - 1 : 0;
  const std::string end = fmt::format(", {} left", left);
  if (width_of(end) + kShortestText > room) return cut(text, room);
  std::string shown = cut(text, room - width_of(end)) + end;
  const size_t free = room - width_of(shown);
  if (free < kNarrowestBar + kFrame) return shown;
  return bar(share, std::min(kWidestBar, free - kFrame)) + shown;
}

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
    write_error({"\r\033[K", progress_line(share, text, left, line_width(STDERR_FILENO))});
  } else {
    write_error({text, ", ", left, " left\n"});
  }
}

Progress progress_on_stderr(bool quiet) {
  if (quiet) return {};
  return [bar = std::make_shared<ProgressBar>()](const ProgressEvent& event) {
    if (event.total <= 0)  // of standard input nobody knows how much there is
      return bar->show(
          0, fmt::format("{} {:.0f}, {:.3g} per second", event.stage, event.done, event.done / bar->elapsed()));
    bar->show(event.share >= 0 ? event.share : event.done / event.total,
              fmt::format("{} {:.0f}/{:.0f}, {:.3g} per second", event.stage, event.done, event.total,
                          event.done / bar->elapsed()));
  };
}

RunProgress::RunProgress(bool quiet, std::vector<RunPart> parts) : parts_(std::move(parts)) {
  for (const RunPart& part : parts_) total_ += part.seconds;
  if (!quiet) bar_ = std::make_shared<ProgressBar>();
}

Progress RunProgress::part(size_t k) const {
  if (bar_ == nullptr) return {};
  double before = 0;
  for (size_t j = 0; j < k; ++j) before += parts_[j].seconds;
  const std::string title = fmt::format("{} ({} of {})", parts_[k].name, k + 1, parts_.size());
  return [this, before, title, seconds = parts_[k].seconds](const ProgressEvent& event) {
    if (event.total <= 0 || total_ <= 0) return;
    const double share = event.share >= 0 ? event.share : event.done / event.total;
    const double all = (before + share * seconds) / total_;
    bar_->show(all, fmt::format("{}: {:.0f}/{:.0f}; {:.0f}% of the run", title, event.done, event.total, 100 * all));
  };
}

}  // namespace wordsway::app
