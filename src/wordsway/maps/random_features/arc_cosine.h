// The dual kernel of relu, which its relatives share.
#pragma once

#include "wordsway/maps/random_features/activation.h"

namespace wordsway {

/// The moments of relu(u) and relu(u + δ) − relu(u), by the arc-cosine kernel of degree 1 (Cho & Saul 2009),
/// E[relu(u) relu(v)] = √(E u² E v²)·(sin θ + (π − θ) cos θ)/2π. The kink at 0 would cost a quadrature most of its
/// digits.
PairMoments relu_kernel(const PairMoments& in);

}  // namespace wordsway
