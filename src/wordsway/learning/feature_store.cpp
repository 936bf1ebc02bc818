#include "wordsway/learning/feature_store.h"

#include <algorithm>
#include <utility>

#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/stopwatch.h"
#include "wordsway/core/tall_products.h"

namespace wordsway {
namespace {

constexpr Index kRows = 256;      // of Φ multiplied at once
constexpr Index kColumns = 4096;  // of Φ combined at once

Index rows_a_block(Index samples, Index rows, Index columns, double block_bytes) {
  const double bytes_a_row = 8.0 * static_cast<double>(samples) * static_cast<double>(columns);
  if (!(block_bytes / bytes_a_row < static_cast<double>(rows))) return rows;
  return std::max(static_cast<Index>(block_bytes / bytes_a_row), Index{1});
}

}  // namespace

FeatureStore::FeatureStore(const LearnerView& view, const FeatureRoom& room)
    : TrainingFeatures(view.training_size(), view.sample().features().size()),
      view_(view),
      rows_(view.sample().features().rows()),
      columns_(view.sample().features().cols()),
      block_rows_(rows_a_block(samples(), rows_, columns_, room.block_bytes)),
      keeps_(8.0 * static_cast<double>(samples()) * static_cast<double>(features()) <= room.bytes) {}

void FeatureStore::make(Index first_row, Index count, MatrixRef out) {
  const Stopwatch watch;
  view_.training_rows(first_row, count, out);
  seconds_ += watch.seconds();
}

// Blocks are matrices of their own also when they are kept: how a product rounds depends on the stride of its factors.
void FeatureStore::for_each_block(const Use& use) {
  const Blocks blocks{rows_, block_rows_};
  Matrix passing;  // the only block held if none is kept
  for (Index b = 0; b < blocks.count(); ++b) {
    throw_if_stopped();
    const bool is_made = static_cast<size_t>(b) < kept_.size();
    if (!is_made) {
      passing.resize(samples(), blocks.length(b) * columns_);
      make(blocks.begin(b), blocks.length(b), passing);
      if (keeps_) kept_.push_back(std::exchange(passing, {}));  // only whole blocks: making one may be stopped
    }
    use(blocks.begin(b) * columns_, keeps_ ? kept_[static_cast<size_t>(b)] : passing);
  }
}

KernelParts FeatureStore::kernel_of(ConstVectorRef phi) {
  const Index N = samples();
  KernelParts parts{Matrix::Zero(N, N), Vector::Zero(N)};
  for_each_block([&](Index first, ConstMatrixRef block) {
    add_gram_lower(block, parts.K);
    const Blocks rows{N, kRows};
    parallel_for(rows.count(), [&](Index b) {
      parts.Phi_phi.segment(rows.begin(b), rows.length(b)).noalias() +=
          block.middleRows(rows.begin(b), rows.length(b)) * phi.segment(first, block.cols());
    });
  });
  mirror_lower(parts.K);
  return parts;
}

CombinedPair FeatureStore::combination_of(ConstVectorRef u, ConstVectorRef v) {
  CombinedPair pair{Vector(features()), Vector(features())};
  for_each_block([&](Index first, ConstMatrixRef block) {
    const Blocks columns{block.cols(), kColumns};
    parallel_for(columns.count(), [&](Index b) {
      const Index begin = first + columns.begin(b), length = columns.length(b);
      multiply_pair_transposed(block.middleCols(columns.begin(b), length), u, v, pair.of_u.segment(begin, length),
                               pair.of_v.segment(begin, length));
    });
  });
  return pair;
}

std::unique_ptr<TrainingFeatures> training_features(const LearnerView& view, const FeatureRoom& room) {
  if (auto on_device = view.device_features()) return on_device;
  return std::make_unique<FeatureStore>(view, room);
}

}  // namespace wordsway
