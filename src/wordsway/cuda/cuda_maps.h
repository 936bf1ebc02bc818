// Random maps on a CUDA device: attention of any normaliser, and random features. Built with WORDSWAY_CUDA=ON.
#pragma once

#include <memory>

#include "wordsway/maps/feature_map.h"
#include "wordsway/maps/learner_view.h"

namespace wordsway {

/// Makes a map whose features and moves of single tokens are computed on the device, in double. Throws UsageError as
/// cuda_device_name() does (cuda_engine.h), and for a map, a normaliser or an activation that the device does not have.
///
/// The weights of deferred features are written down for the token that moves, as DeferredMatrix::complete() would:
/// what a search finds has the law of the processor's, not its numbers. All other numbers are the processor's, to
/// rounding.
std::unique_ptr<FeatureMap> map_on_cuda(std::unique_ptr<FeatureMap> map);

/// How much of the features of a learner's training samples is held on the device. How work is cut has an influence on
/// the last bits, what is kept has none.
struct CudaRoom {
  double bytes = 1e300;          // they are kept when they fit in here and in half of the memory that is free
  double block_bytes = 0x1p31;   // of a block; where they are not kept, one block at a time is made
  double scores_bytes = 0x1p31;  // that attention takes for queries and scores at once
};

/// What draw_learner_view and whole_learner_view give (maps/learner_view.h), with the features of the training samples,
/// their kernel and, for random features, X and its moves computed on the device, in double; of attention these are
/// small, and the processor's. Throw as these and map_on_cuda do, and UsageError where the deeper weights of features
/// do not fit.
///
/// Weights that are drawn where the learner looks have the processor's numbers, to rounding, as long as the processor
/// holds them dense; deferred ones of deeper layers have its law alone.
std::unique_ptr<LearnerView> draw_learner_on_cuda(const MapEntry& entry, const MapOptions& options,
                                                  const Stream& weights, const LearnerSamples& samples,
                                                  const CudaRoom& room = {});
std::unique_ptr<LearnerView> whole_learner_on_cuda(std::unique_ptr<FeatureMap> map, const LearnerSamples& samples,
                                                   const CudaRoom& room = {});

/// Bytes that a copy within the device's memory reads and writes in a second, measured: the roof of moves of long
/// samples. Throws as map_on_cuda does.
double cuda_copy_bandwidth();

/// Seconds that the last attention over a whole sample took on the device, copies to and from it aside.
double cuda_attention_seconds();

}  // namespace wordsway
