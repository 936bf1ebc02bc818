// f of the normalisers that are given by f alone, and its derivative f', for arrays of scores on the CPU and for one
// score on a device: `Math` has the functions of the arithmetic. The softmax stays in the log domain (maps/raf.cpp).
//
//   weigh<kind, Math>(s, β, value, slope)     value ← f(s), and slope ← f'(s) unless it is null
#pragma once

#include "wordsway/maps/attention/normaliser_table.h"

#ifdef __CUDACC__
#define WORDSWAY_HOST_DEVICE __host__ __device__
#else
#define WORDSWAY_HOST_DEVICE
#endif

namespace wordsway {

template <NormaliserKind kKind, typename Math, typename Score, typename Value, typename Slope>
WORDSWAY_HOST_DEVICE inline void weigh([[maybe_unused]] const Score& s, [[maybe_unused]] double beta, Value& value,
                                       Slope* slope) {
  static_assert(kKind != NormaliserKind::kSoftmax, "the softmax depends on the largest score of its row");
  if constexpr (kKind == NormaliserKind::kRelu) {
    value = Math::max(s, 0.0);
    if (slope != nullptr) *slope = Math::indicator(s > 0);
  } else if constexpr (kKind == NormaliserKind::kElu) {
    const typename Math::Number below = Math::exp(beta * Math::min(s, 0.0));
    value = below + beta * Math::max(s, 0.0);
    if (slope != nullptr) *slope = beta * below;
  } else if constexpr (kKind == NormaliserKind::kSigmoid) {
    value = 1 / (1 + Math::exp(-beta * s));
    if (slope != nullptr) *slope = beta * value * (1 - value);
  } else if constexpr (kKind == NormaliserKind::kSoftplus) {
    const typename Math::Number scaled = beta * s, small = Math::exp(-Math::abs(scaled));
    value = Math::max(scaled, 0.0) + Math::log1p(small);
    if (slope != nullptr) *slope = beta * Math::select(scaled > 0, 1 / (1 + small), small / (1 + small));
  } else {
    value = s * s;
    if (slope != nullptr) *slope = 2 * s;
  }
}

}  // namespace wordsway
