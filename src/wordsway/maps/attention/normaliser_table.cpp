#include "wordsway/maps/attention/normaliser_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"

namespace wordsway {

const NormaliserEntry& normaliser_entry(NormaliserKind kind) {
  return *std::ranges::find(kNormalisers, kind, &NormaliserEntry::kind);
}

std::string normaliser_name(NormaliserKind kind) {
  return normaliser_entry(kind).name;
}

NormaliserKind model_normaliser_named(const std::string& name) {
  std::vector<std::string> known;
  for (const NormaliserEntry& entry : kNormalisers) {
    if (!entry.in_models) continue;
    if (name == entry.name) return entry.kind;
    known.emplace_back(entry.name);
  }
  throw UsageError(
      fmt::format("no normaliser of attention is called '{}'; there are {}", name, fmt::join(known, ", ")));
}

}  // namespace wordsway
