// Linear readouts: trained on the features of some samples, asked about others, by the kernel of all of them.
//
// Phi: [T, p] features, a sample a row; K = ΦΦᵀ: [T, T]. The first N of the T samples are for training, y: [N] their
// labels ±1.
#pragma once

#include "wordsway/core/matrix.h"
#include "wordsway/maps/learner_view.h"

namespace wordsway {

/// K = ΦΦᵀ of all samples, [T, T], of the map that `view` looks through: its training samples first, then its X. Throws
/// DataError when φ(X) vanishes or is rounding noise.
Matrix kernel_of(const LearnerView& view);
/// Computes the kernel of features in memory. Same bits for any number of threads.
Matrix kernel_of(ConstMatrixRef Phi);

/// Outputs of the min-norm interpolator of the first N samples for the others: [T − N] numbers k Kᴺ⁻¹ y, from the
/// kernel of all samples; `features` is p. Throws DataError if there is no other sample, or as Interpolator does.
Vector interpolate(const Matrix& K, ConstVectorRef y, Index features);

/// Outputs of ridge regression on centred features for the other samples, [T − N]; also works if training features are
/// linearly dependent. The penalty is chosen from nine by the squared error on the last fifth of the training samples
/// after training on the rest; samples that belong together, `group` in a row, are not split. Throws UsageError unless
/// N is a multiple of `group` with at least five groups, DataError if there is no other sample or a feature is not
/// finite.
Vector ridge(const Matrix& K, ConstVectorRef y, Index group = 1);

}  // namespace wordsway
