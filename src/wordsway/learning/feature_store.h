// The features Φ of the training samples in blocks of columns. They are kept if they fit in memory and otherwise
// computed again for each pass. The blocks are the same either way, so sums over them have the same bits.
//
// Φ: [N, p], row s is φ(X_s) flattened row by row.
#pragma once

#include <functional>
#include <vector>

#include "wordsway/maps/learner_view.h"

namespace wordsway {

/// How much of Φ to hold. Keeping more saves time and changes no bit; the size of the blocks does change bits.
struct FeatureRoom {
  double bytes = 4e9;          // Φ is kept when it fits in here, else one block at a time is
  double block_bytes = 128e6;  // of a block: enough for attention to make its rows at near full speed
};

class FeatureStore final : public TrainingFeatures {
 public:
  /// `view` must outlive the store.
  FeatureStore(const LearnerView& view, const FeatureRoom& room);

  bool keeps() const override { return keeps_; }
  double seconds() const override { return seconds_; }

  using Use = std::function<void(Index first, ConstMatrixRef block)>;  // block: [N, length], columns from `first` on

  /// Calls use() for every block, in order, from this thread; a block is gone after the call.
  void for_each_block(const Use& use);

 private:
  /// Runs in parallel over tiles of K, with the same bits for any number of threads. combinations() does too.
  KernelParts kernel_of(ConstVectorRef phi) override;
  CombinedPair combination_of(ConstVectorRef u, ConstVectorRef v) override;
  void make(Index first_row, Index count, MatrixRef out);

  const LearnerView& view_;
  Index rows_, columns_, block_rows_;
  bool keeps_;
  std::vector<Matrix> kept_;  // the blocks, once they were made
  double seconds_ = 0;
};

/// The features of the view's training samples: where the view holds them, else in this machine's memory, of which
/// `room` says how much there is. `view` must outlive them.
std::unique_ptr<TrainingFeatures> training_features(const LearnerView& view, const FeatureRoom& room);

}  // namespace wordsway
