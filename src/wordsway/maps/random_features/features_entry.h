// What the maps made of random features share in the registry: options, drawing, given weights.
#pragma once

#include "wordsway/maps/map_registry.h"
#include "wordsway/maps/random_features/random_features.h"

namespace wordsway {

/// What tells `rf` and `drf` apart.
struct FeaturesKind {
  bool deep;  // has --depth, and weights scaled by β_σ
};

MapEntry features_entry(MethodNumber method, FeaturesKind kind, std::string summary, std::string description);

}  // namespace wordsway
