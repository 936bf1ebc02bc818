#include "wordsway/audit/similarity.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

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

std::string to_string(SimilarityUnit unit) {
  return similarity_unit_names()[static_cast<size_t>(unit)];
}

double cosine_of_threshold(double threshold, SimilarityUnit unit) {
  double cosine = threshold;
  if (unit == SimilarityUnit::kDistance) cosine = 1 - threshold;
  if (unit == SimilarityUnit::kScore01) cosine = 2 * threshold - 1;
  if (unit == SimilarityUnit::kSquaredL2) cosine = 1 - threshold / 2;
  if (!(cosine >= -1 && cosine <= 1))
    throw UsageError(fmt::format("a threshold of {} {} is a cosine of {}; cosines are from -1 to 1", threshold,
                                 to_string(unit), cosine));
  return cosine;
}

double threshold_of_cosine(double cosine, SimilarityUnit unit) {
  switch (unit) {
    case SimilarityUnit::kCosine:
      return cosine;
    case SimilarityUnit::kDistance:
      return 1 - cosine;
    case SimilarityUnit::kScore01:
      return (1 + cosine) / 2;
    case SimilarityUnit::kSquaredL2:
      return 2 - 2 * cosine;
  }
  return cosine;
}

std::string describe_threshold(double threshold, SimilarityUnit unit) {
  const bool is_distance = unit == SimilarityUnit::kDistance || unit == SimilarityUnit::kSquaredL2;
  return fmt::format("{} {} {:.4g}", to_string(unit), is_distance ? "≤" : "≥", threshold);
}

const std::vector<ThresholdPreset>& threshold_presets() {
  using enum SimilarityUnit;
  static const std::vector<ThresholdPreset> presets = {
      {"gptcache", "GPTCache: similarity 0.8, which is 1 - l2sq/4", 0.8, kSquaredL2},
      {"redisvl", "redisvl SemanticCache: distance 0.1", 0.1, kDistance},
      {"langchain-redis", "langchain-redis and langchain-community: distance 0.2", 0.2, kDistance},
      {"litellm", "LiteLLM redis-semantic: required; 0.8 in its examples", 0.8, kCosine},
      {"semantic-router", "vLLM semantic-router: 0.80 (its configurations: 0.80 to 0.92)", 0.8, kCosine},
      {"azure-api-management", "Azure API Management: score 0.05 to start with", 0.05, kDistance},
      {"upstash", "Upstash: 0.95 of (1 + cosine)/2", 0.95, kScore01},
  };
  return presets;
}

const ThresholdPreset& threshold_preset(const std::string& name) {
  std::vector<std::string> names;
  for (const ThresholdPreset& preset : threshold_presets()) {
    if (preset.name == name) return preset;
    names.push_back(preset.name);
  }
  throw UsageError(unknown_name("preset", name, names));
}

}  // namespace wordsway
