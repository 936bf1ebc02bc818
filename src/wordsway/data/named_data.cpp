#include "wordsway/data/named_data.h"

#include <algorithm>

#include <fmt/format.h>

namespace wordsway {
namespace {

constexpr Index kBuiltinPositions = 512, kBuiltinDimension = 256;  // of models/builtin; a test compares

}  // namespace

NamedData name_data(const std::string& given, const std::vector<Index>& n, const std::vector<Index>& d) {
  if (!given.empty()) return {given, ""};
  const auto within = [](const std::vector<Index>& sizes, Index limit) {
    return std::all_of(sizes.begin(), sizes.end(), [&](Index size) { return size <= limit; });
  };
  if (within(n, kBuiltinPositions) && within(d, kBuiltinDimension))
    return {kBuiltinData, "data: builtin, film reviews through the built-in model (choose with --data)"};
  return {kSyntheticData,
          fmt::format("data: {}, synthetic, because builtin goes to n = {} and d = {} (choose with --data)",
                      kSyntheticData, kBuiltinPositions, kBuiltinDimension)};
}

}  // namespace wordsway
