// Random maps on a CUDA device: attention of any normaliser, and random features. Built with WORDSWAY_CUDA=ON.
#pragma once

#include <memory>

#include "wordsway/maps/feature_map.h"

namespace wordsway {

/// The same map, whose features and moves of single tokens are computed on the device, in double. Throws UsageError as
/// cuda_device_name() does (cuda_engine.h), and for a map, a normaliser or an activation that the device has not.
///
/// The weights of deferred features are written down for the token that moves, as DeferredMatrix::complete() would:
/// what a search finds has the law of the processor's, not its numbers. All other numbers are the processor's, to
/// rounding.
std::unique_ptr<FeatureMap> map_on_cuda(std::unique_ptr<FeatureMap> map);

/// Bytes that a copy within the device's memory reads and writes in a second, measured: the roof of moves of long
/// samples. Throws as map_on_cuda does.
double cuda_copy_bandwidth();

/// Seconds that the last attention over a whole sample took on the device, copies to and from it aside.
double cuda_attention_seconds();

}  // namespace wordsway
