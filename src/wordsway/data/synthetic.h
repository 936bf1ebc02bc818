// Made-up samples. X: [n, d], rows of norm √d.
#pragma once

#include <string>

#include "wordsway/core/matrix.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// Tokens uniform on the sphere of radius √d.
Matrix sphere_sample(const Stream& stream, Index n, Index d);

/// Tokens √d·normalise(√A·μ + √(1−A)·u): u uniform on the unit sphere, one unit vector μ for all tokens. Real
/// embeddings share such a direction; A = 0 is sphere_sample. μ comes from `shared`, so samples may have it in common.
/// Throws UsageError unless 0 ≤ A ≤ 1.
Matrix spiked_sample(const Stream& stream, const Stream& shared, Index n, Index d, double spike);

/// How results and journals call it whether rows are scaled to √d.
std::string normalisation_name(bool normalise);

/// Scales every row to norm √d. Throws DataError on a zero row or one that is not finite.
void normalise_rows(Matrix& X);

}  // namespace wordsway
