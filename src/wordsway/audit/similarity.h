// Similarity thresholds as other people's caches and stores write them. A number alone is ambiguous, so it has a unit.
#pragma once

#include <string>
#include <vector>

namespace wordsway {

/// cosine; distance: 1 − cosine; score01: (1 + cosine)/2; l2sq: squared distance of unit vectors, 2 − 2·cosine.
enum class SimilarityUnit { kCosine, kDistance, kScore01, kSquaredL2 };

/// Throws UsageError on another name than cosine, distance, score01, l2sq.
SimilarityUnit parse_similarity_unit(const std::string& name);
const std::vector<std::string>& similarity_unit_names();

std::string to_string(SimilarityUnit unit);

/// The least cosine that a threshold lets pass. Throws UsageError when no cosine from −1 to 1 has this value.
double cosine_of_threshold(double threshold, SimilarityUnit unit);

/// The inverse of cosine_of_threshold: the threshold that passes the same texts as a cosine.
double threshold_of_cosine(double cosine, SimilarityUnit unit);

/// Describes a threshold: "cosine ≥ 0.9", "distance ≤ 0.1".
std::string describe_threshold(double threshold, SimilarityUnit unit);

/// The default threshold of a cache or store, as noted in 2026 (docs/pairs.md).
struct ThresholdPreset {
  std::string name, system;
  double threshold;
  SimilarityUnit unit;
};

const std::vector<ThresholdPreset>& threshold_presets();
/// Throws UsageError on an unknown name, with the nearest one.
const ThresholdPreset& threshold_preset(const std::string& name);

}  // namespace wordsway
