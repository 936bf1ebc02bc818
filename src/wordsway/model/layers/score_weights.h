// What turns a row of attention scores into weights, P_m = f(s_m)/Σ f(s), in float32; maps/attention/normaliser.h has
// the same in double for the random maps.
//
//   softmax   exp(βs)
//   sigmoid   1/(1 + exp(−βs))
//   relu      max(s, 0)       β cancels
//   square    s²              β cancels
//
// A row without mass, which ReLU and square can have, has weights 0.
#pragma once

#include <string>

#include "wordsway/core/matrix.h"

namespace wordsway {

enum class ScoreFunction { kSoftmax, kSigmoid, kRelu, kSquare };

/// From the name above. Throws UsageError naming what there is; the caller adds the file.
ScoreFunction score_function_named(const std::string& name);
std::string score_function_name(ScoreFunction function);

/// The normaliser of an attention. Its β is part of the scores that weigh_scores is given.
struct ScoreWeights {
  ScoreFunction function = ScoreFunction::kSoftmax;
  float beta = 1;

  bool is_softmax() const { return function == ScoreFunction::kSoftmax; }
  bool operator==(const ScoreWeights&) const = default;
};

/// A score at or below this one is that of a token that the mask hides: f is 0 there.
inline constexpr float kHiddenScore = -1e30f;

/// For all but the softmax, which attention.cpp has itself. Turns the scores βs, [count], into f up to a positive
/// factor of the row, and returns 1/their sum, 0 for a row without mass. With `slopes`, [count], f' by βs with the same
/// factor.
float weigh_scores(ScoreFunction function, Index count, float* scores, float* slopes);

}  // namespace wordsway
