// Predictions of theory for the sensitivity of random features (docs/theory_random_features.md).
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

/// Returns NaN if the numbers exceed the range of a double.
Prediction predict_features(const FeaturesLaw& law, const TokenGeometry& geometry);

// Random features of infinite width: the effect of a layer on the second moments of two inputs (the dual kernel of the
// activation; Cho & Saul 2009 for ReLU, Daniely, Frostig & Singer 2016 in general).
//
// u and v = u + δ are the pre-activations of a neuron before and after the move; over the weights they are jointly
// normal, so three numbers say everything. They are kept as moments of u and of the change, which loses no digits when
// the change is small.

/// The moments of σ(u) and σ(v) − σ(u): in closed form where the activation has one, else by Gauss–Hermite quadrature.
PairMoments through_activation(const Activation& activation, const PairMoments& in);

/// E[σ'(u)⁴]/E[σ'(u)²]² for u ~ N(0, square): how unevenly the neurons of a layer pass a small change on.
double slope_kurtosis(const Activation& activation, double square);

}  // namespace wordsway
