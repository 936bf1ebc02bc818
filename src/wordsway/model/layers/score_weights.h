// The normalisers of attention in float32 (maps/attention/normaliser_table.h), which turn a row of scores into weights,
// P_m = f(s_m)/Σ f(s). A row without mass, which ReLU and square can have, has weights 0.
#pragma once

#include "wordsway/core/matrix.h"
#include "wordsway/maps/attention/normaliser_table.h"

namespace wordsway {

/// A score at or below this one belongs to a token that the mask hides: f is 0 there.
inline constexpr float kHiddenScore = -1e30f;

/// Turns the scores βs, [count], into f up to a positive factor of the row, and returns 1/their sum, 0 for a row
/// without mass. With `slopes`, [count], f' with respect to βs with the same factor. Takes the normalisers of trained
/// models but the softmax, which attention.cpp computes.
float weigh_scores(NormaliserKind kind, Index count, float* scores, float* slopes);

}  // namespace wordsway
