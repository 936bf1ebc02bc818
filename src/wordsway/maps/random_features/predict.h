// What theory says about the sensitivity of random features (docs/theory_random_features.md).
//
// As the width grows, ‖φ(X^i(Δ)) − φ(X)‖/‖φ(X)‖ depends on Δ only through ‖Δ‖ and x_i·Δ, by the dual kernel of every
// layer; the largest value over these two numbers is the prediction. At a width k the supremum over the d coordinates
// of Δ lies above it, by 1 + √((d/k)·Σ_l κ_l) to first order in d/k, κ_l = E[σ'⁴]/E[σ'²]² in layer l (2 for ReLU).
#pragma once

#include "wordsway/maps/map_registry.h"
#include "wordsway/maps/random_features/activation.h"

namespace wordsway {

struct FeaturesLaw {
  const Activation& activation;
  Index n, d, width, depth;
  double variance;  // of an entry of the weights, times the number of columns
};

/// NaN where the numbers are beyond what a double holds.
Prediction predict_features(const FeaturesLaw& law, const TokenGeometry& geometry);

}  // namespace wordsway
