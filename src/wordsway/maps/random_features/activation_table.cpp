#include "wordsway/maps/random_features/activation_table.h"

#include <algorithm>

#include "wordsway/core/error.h"

namespace wordsway {

std::string activation_name(ActivationKind kind) {
  return std::ranges::find(kActivations, kind, &ActivationEntry::kind)->name;
}

ActivationKind layer_activation_named(const std::string& name) {
  std::string all;
  for (const ActivationEntry& entry : kActivations) {
    if (!entry.in_layers) continue;
    if (name == entry.name) return entry.kind;
    all += (all.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw UsageError("unknown activation '" + name + "'; there are: " + all);
}

std::optional<ActivationKind> torch_activation(const std::string& name) {
  for (const ActivationEntry& entry : kActivations)
    if (entry.torch != nullptr && name == entry.torch) return entry.kind;
  return std::nullopt;
}

std::vector<std::string> torch_activation_names() {
  std::vector<std::string> names;
  for (const ActivationEntry& entry : kActivations)
    if (entry.torch != nullptr) names.emplace_back(entry.torch);
  return names;
}

}  // namespace wordsway
