// A text on the CUDA device, and values and gradients of many copies of it, each with one row moved.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "wordsway/cuda/device_blocks.cuh"
#include "wordsway/model/device_engine.h"

namespace wordsway::cuda {

/// Texts at once: each is a block in a grid, which may have 65,535. A text or a decoder's copy may be one row alone.
inline constexpr Index kMostTexts = 32768;

/// The data transferred with some copies. It is pinned, so that the next copies can be sent to the device while these
/// are computed, and two searches that take turns leave no gap.
struct Transfer {
  RowRange copies{0, 0};
  Index wanted = 0;                    // of these copies the first so many want gradients
  PinnedBuffer rows, tokens, squares;  // rows that moved, then their gradients
  Marker done;
};

/// Transfers are used again: to pin memory takes longer than to compute with it.
class Transfers {
 public:
  std::unique_ptr<Transfer> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Transfer>();
    auto transfer = std::move(free_.back());
    free_.pop_back();
    return transfer;
  }
  void give_back(std::unique_ptr<Transfer> transfer) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(transfer));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Transfer>> free_;
};

std::unique_ptr<DeviceText> make_device_text(std::shared_ptr<const DeviceBlocks> blocks,
                                             std::shared_ptr<Transfers> transfers, bool causal, ConstMatrixFRef x,
                                             Index layer);

}  // namespace wordsway::cuda
