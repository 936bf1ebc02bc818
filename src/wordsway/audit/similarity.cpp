#include "wordsway/audit/similarity.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

const std::vector<std::string>& similarity_unit_names() {
  static const std::vector<std::string> names = {"cosine", "distance", "score01", "l2sq"};
  return names;
}

SimilarityUnit parse_similarity_unit(const std::string& name) {
  const auto& names = similarity_unit_names();
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw UsageError(fmt::format("unknown unit '{}'; there are: {}", name, fmt::join(names, ", ")));
  return static_cast<SimilarityUnit>(found - names.begin());
}

double cosine_of_threshold(double threshold, SimilarityUnit unit) {
  double cosine = threshold;
  if (unit == SimilarityUnit::kDistance) cosine = 1 - threshold;
  if (unit == SimilarityUnit::kScore01) cosine = 2 * threshold - 1;
  if (unit == SimilarityUnit::kSquaredL2) cosine = 1 - threshold / 2;
  if (!(cosine >= -1 && cosine <= 1))
    throw UsageError(fmt::format("a threshold of {} {} is a cosine of {}; cosines are from -1 to 1", threshold,
                                 similarity_unit_names()[static_cast<size_t>(unit)], cosine));
  return cosine;
}

}  // namespace wordsway
