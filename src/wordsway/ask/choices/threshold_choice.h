// A similarity threshold with its unit, as caches and vector stores write it.
#pragma once

#include <optional>
#include <string>

namespace wordsway {

/// Throws UsageError if only one of threshold and unit is given.
void check_threshold(const std::optional<double>& threshold, const std::optional<std::string>& unit);

}  // namespace wordsway
