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
/// The same of features that are there. Same bits for any number of threads.
Matrix kernel_of(ConstMatrixRef Phi);

/// What the min-norm interpolator of the first N samples says of the others: [T − N] outputs k Kᴺ⁻¹ y, from the kernel
/// of all of them; `features` is p. Throws DataError when there is no other sample, or as Interpolator does.
Vector interpolate(const Matrix& K, ConstVectorRef y, Index features);

/// What ridge regression on centred features says of the others, [T − N]: also where training features depend on each
/// other. Its penalty is the one, of nine, with the least squared error on the last fifth of the training samples when
/// it is trained on those before them; samples that belong together, `group` after each other, are not parted. Throws
/// UsageError unless N is a multiple of `group` with at least five of them, DataError when there is no other sample or
/// a feature is not finite.
Vector ridge(const Matrix& K, ConstVectorRef y, Index group = 1);

}  // namespace wordsway
