#include "output/run_progress.h"

#include <fmt/format.h>

#include "output/progress_bar.h"

namespace wordsway::app {

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
