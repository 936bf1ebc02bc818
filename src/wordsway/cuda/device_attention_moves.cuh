// Attention on the device when several tokens move: the form of maps/attention/attention_moves.h, as products of
// matrices for all moves at once and kernels that go over their rows (map_together_kernels.cu).
#pragma once

#include <memory>
#include <vector>

#include "wordsway/cuda/device_maps.cuh"
#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/maps/attention/attention_sample.h"

namespace wordsway::cuda {

/// A sample of attention on the device.
struct AttentionOnDevice {
  DeviceNormaliser f;
  const double *X, *features, *W;  // [n, d], [n, d], [d, d]
  std::shared_ptr<const AttentionState> host;
  std::shared_ptr<const void> keeps;  // what the pointers point to
};

/// The view of several tokens, which check_tokens has seen. Its Δ is [M·d]. Bounds, starts and inner products are the
/// processor's.
std::unique_ptr<TokenView> attention_moves_on_device(AttentionOnDevice sample, std::vector<Index> tokens);

}  // namespace wordsway::cuda
