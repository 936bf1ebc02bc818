// Similarity thresholds as other people's caches and stores write them. A number alone does not say what it means, so
// it goes with a unit.
#pragma once

#include <string>
#include <vector>

namespace wordsway {

/// cosine; distance: 1 − cosine; score01: (1 + cosine)/2; l2sq: squared distance of unit vectors, 2 − 2·cosine.
enum class SimilarityUnit { kCosine, kDistance, kScore01, kSquaredL2 };

/// Throws UsageError on another name than cosine, distance, score01, l2sq.
SimilarityUnit parse_similarity_unit(const std::string& name);
const std::vector<std::string>& similarity_unit_names();

/// The least cosine that a threshold lets pass. Throws UsageError when no cosine from −1 to 1 has this value.
double cosine_of_threshold(double threshold, SimilarityUnit unit);

}  // namespace wordsway
