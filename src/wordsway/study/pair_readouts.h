// Pairs of reviews through an encoder, and how often a readout tells the two of a pair apart.
//
// Samples are the first and the second review of every pair, pair after pair. The first pairs are for training, the
// others for testing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/core/record.h"
#include "wordsway/study/film_pairs.h"

namespace wordsway {

inline Index samples_of(const std::vector<ReviewPair>& pairs) {
  return 2 * static_cast<Index>(pairs.size());
}

/// The ids of a sample's review, without special tokens.
const std::vector<int>& ids_of_sample(const std::vector<ReviewPair>& pairs, Index sample);

/// The review of a sample within the model's own template.
struct SurroundedReview {
  std::vector<int> ids;
  Index first;  // of the review's own tokens
};
SurroundedReview surrounded_review(const Tokenizer& tokenizer, const std::vector<ReviewPair>& pairs, Index sample);

/// Labels of the samples of the first `count` pairs, 1 and −1.
Vector labels_of_pairs(const std::vector<ReviewPair>& pairs, Index count);

/// Calls visit(sample, states) for every sample, from several threads. States are those of the embedding and of every
/// layer, for the rows of the review's own tokens only, [n, d] each.
using VisitReview = std::function<void(Index sample, const std::vector<MatrixF>& states)>;
void for_each_review(const Model& encoder, const std::vector<ReviewPair>& pairs, const VisitReview& visit);

/// Judges the pairs after the first `training` ones by a readout's outputs for their samples: readout, pairs, right
/// (reviews whose output has the sign of the label), both_right (pairs), ordered (pairs whose outputs are in the right
/// order, whatever their sign). Throws DataError if an output is not finite.
Record judge_pairs(const std::string& readout, const std::vector<ReviewPair>& pairs, Index training,
                   const Vector& outputs);

}  // namespace wordsway
