// f of the normalisers (maps/attention/normaliser.h) for kernels, and for the softmax its logarithm's form.
#pragma once

#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/cuda/row_pass.cuh"
#include "wordsway/maps/attention/normaliser_formulas.h"

namespace wordsway::cuda {

struct ScalarMath {
  using Number = double;
  static __device__ double exp(double x) { return ::exp(x); }
  static __device__ double log1p(double x) { return ::log1p(x); }
  static __device__ double abs(double x) { return fabs(x); }
  static __device__ double min(double x, double y) { return fmin(x, y); }
  static __device__ double max(double x, double y) { return fmax(x, y); }
  static __device__ double indicator(bool holds) { return holds ? 1.0 : 0.0; }
  static __device__ double select(bool holds, double then, double otherwise) { return holds ? then : otherwise; }
};

// f of a normaliser that is given by f alone.
inline __device__ Slope plain_weight(DeviceNormaliser f, double score) {
  Slope found{0, 0};
  switch (f.kind) {
    case NormaliserKind::kRelu:
      weigh<NormaliserKind::kRelu, ScalarMath>(score, f.beta, found.value, &found.slope);
      break;
    case NormaliserKind::kElu:
      weigh<NormaliserKind::kElu, ScalarMath>(score, f.beta, found.value, &found.slope);
      break;
    case NormaliserKind::kSigmoid:
      weigh<NormaliserKind::kSigmoid, ScalarMath>(score, f.beta, found.value, &found.slope);
      break;
    case NormaliserKind::kSoftplus:
      weigh<NormaliserKind::kSoftplus, ScalarMath>(score, f.beta, found.value, &found.slope);
      break;
    case NormaliserKind::kSquare:
      weigh<NormaliserKind::kSquare, ScalarMath>(score, f.beta, found.value, &found.slope);
      break;
    case NormaliserKind::kSoftmax:
      break;
  }
  return found;
}

// Normaliser::against for one score.
inline __device__ Slope weight_against(DeviceNormaliser f, double score, double mass) {
  if (f.kind == NormaliserKind::kSoftmax) {
    const double ahead = f.beta * score - mass, small = exp(-fabs(ahead)), large_share = 1 / (1 + small);
    const double small_share = small * large_share;
    return {ahead > 0 ? large_share : small_share, f.beta * large_share * small_share};
  }
  const Slope one = plain_weight(f, score);
  const double total = mass + one.value;
  return {one.value > 0 ? one.value / total : 0, total > 0 ? (one.slope / total) * (mass / total) : 0};
}

// A row that is summed up in pieces: peak is the largest score so far (softmax), sums are of f relative to it.
inline __device__ Slope piece_slope(DeviceNormaliser f, double score, double peak) {
  if (f.kind != NormaliserKind::kSoftmax) return plain_weight(f, score);
  const double weight = exp(f.beta * (score - peak));
  return {weight, f.beta * weight};
}

inline __device__ double piece_weight(DeviceNormaliser f, double score, double peak) {
  return piece_slope(f, score, peak).value;
}

// The mass that such a sum stands for.
inline __device__ double mass_of(DeviceNormaliser f, double peak, double sum) {
  return f.kind == NormaliserKind::kSoftmax ? f.beta * peak + log(sum) : sum;
}

// Normaliser::share.
inline __device__ double share_of(DeviceNormaliser f, double part, double rest) {
  if (f.kind == NormaliserKind::kSoftmax) return part == -kInfinity ? 0 : 1 / (1 + exp(rest - part));
  if (isinf(part)) return 1;
  return part > 0 ? part / (rest + part) : 0;
}

inline __device__ double rescale(DeviceNormaliser f, double from, double to) {
  if (f.kind != NormaliserKind::kSoftmax || from == to) return 1;
  return from == -kInfinity ? 0 : exp(f.beta * (from - to));
}

}  // namespace wordsway::cuda
