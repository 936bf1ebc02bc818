// f of the normalisers (maps/attention/normaliser.h) for kernels, and for the softmax its logarithm's form.
#pragma once

#include "wordsway/cuda/map_kernels.cuh"
#include "wordsway/cuda/row_pass.cuh"

namespace wordsway::cuda {

// f of a normaliser that is given by f alone.
inline __device__ Slope plain_weight(DeviceNormaliser f, double score) {
  switch (f.kind) {
    case NormaliserKind::kRelu:
      return {fmax(score, 0.0), score > 0 ? 1.0 : 0.0};
    case NormaliserKind::kElu: {
      const double below = exp(f.beta * fmin(score, 0.0));
      return {below + f.beta * fmax(score, 0.0), f.beta * below};
    }
    case NormaliserKind::kSigmoid: {
      const double value = 1 / (1 + exp(-f.beta * score));
      return {value, f.beta * value * (1 - value)};
    }
    case NormaliserKind::kSoftplus: {
      const double scaled = f.beta * score, small = exp(-fabs(scaled));
      return {fmax(scaled, 0.0) + log1p(small), f.beta * (scaled > 0 ? 1 / (1 + small) : small / (1 + small))};
    }
    case NormaliserKind::kSquare:
      return {score * score, 2 * score};
    case NormaliserKind::kSoftmax:
      break;
  }
  return {0, 0};
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
