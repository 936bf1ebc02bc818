// The features Φ of the training samples in blocks of columns: kept when they fit in memory, else made again each time
// somebody goes through them. The blocks are the same either way, so what is summed over them has the same bits.
//
// Φ: [N, p], row s is φ(X_s) flattened row by row.
#pragma once

#include <functional>
#include <vector>

#include "wordsway/maps/learner_view.h"

namespace wordsway {

/// How much of Φ is held. What is kept costs or saves time and has no influence on any bit; how it is cut has.
struct FeatureRoom {
  double bytes = 4e9;          // Φ is kept when it fits in here, else one block at a time is
  double block_bytes = 128e6;  // of a block: enough for attention to make its rows at near full speed
};

class FeatureStore {
 public:
  /// `view` must outlive the store.
  FeatureStore(const LearnerView& view, Index samples, const FeatureRoom& room);

  Index samples() const { return samples_; }
  Index features() const { return rows_ * columns_; }
  bool keeps() const { return keeps_; }

  using Use = std::function<void(Index first, ConstMatrixRef block)>;  // block: [N, length], columns from `first` on

  /// Calls use() for every block, in order, from this thread; a block is gone after the call.
  void for_each_block(const Use& use);

  /// Wall time spent making features so far.
  double seconds() const { return seconds_; }

 private:
  void make(Index first_row, Index count, MatrixRef out);

  const LearnerView& view_;
  Index samples_, rows_, columns_, block_rows_;
  bool keeps_;
  std::vector<Matrix> kept_;  // the blocks, once they were made
  double seconds_ = 0;
};

/// K = ΦΦᵀ [N, N] and Φφ [N] in one pass. In parallel over tiles of K; same bits for any number of threads.
/// Throws DataError when φ has another size than the features.
struct KernelParts {
  Matrix K;
  Vector Phi_phi;
};
KernelParts make_kernel(FeatureStore& store, ConstVectorRef phi);

/// Φᵀu and Φᵀv, each [p], in one pass. Same bits for any number of threads. Throws DataError unless u and v are [N].
struct CombinedPair {
  Vector of_u, of_v;
};
CombinedPair combine_features(FeatureStore& store, ConstVectorRef u, ConstVectorRef v);

}  // namespace wordsway
