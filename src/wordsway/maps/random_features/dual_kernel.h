// Random features of infinite width: what a layer does to the second moments of two inputs (the dual kernel of the
// activation; Cho & Saul 2009 for ReLU, Daniely, Frostig & Singer 2016 in general).
//
// u and v = u + δ are the pre-activations of a neuron before and after the move; over the weights they are jointly
// normal, so three numbers say everything. They are kept as moments of u and of the change, which loses no digits when
// the change is small.
#pragma once

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {

/// The moments of σ(u) and σ(v) − σ(u): in closed form where the activation has one, else by Gauss–Hermite quadrature.
PairMoments through_activation(const Activation& activation, const PairMoments& in);

/// E[σ'(u)⁴]/E[σ'(u)²]² for u ~ N(0, square): how unevenly the neurons of a layer pass a small change on.
double slope_kurtosis(const Activation& activation, double square);

}  // namespace wordsway
