// What the maps made of random features share in their registry entries: options, drawing, given weights.
#pragma once

#include "wordsway/maps/map_registry.h"
#include "wordsway/maps/random_features/random_features.h"

namespace wordsway {

/// The parameters, for other maps that have the same.
const Parameter& depth_parameter();
const Parameter& width_parameter();
const Parameter& activation_parameter();

/// The differences between `rf` and `drf`.
struct FeaturesKind {
  bool deep;  // has --depth, and weights scaled by β_σ
};

MapEntry features_entry(MethodNumber method, FeaturesKind kind, std::string summary, std::string description);

}  // namespace wordsway
