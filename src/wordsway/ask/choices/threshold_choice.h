// A similarity threshold with its unit, as people's caches and stores write it.
#pragma once

#include <optional>
#include <string>

namespace wordsway {

/// Throws UsageError when a threshold has no unit, or a unit no threshold.
void check_threshold(const std::optional<double>& threshold, const std::optional<std::string>& unit);

}  // namespace wordsway
