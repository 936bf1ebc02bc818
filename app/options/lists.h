// Comma-separated lists on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway::app {

/// "10,20,50" as numbers or names. Throws UsageError naming `flag` when an entry is empty or not a number.
std::vector<Index> parse_sizes(const std::string& text, const std::string& flag);
std::vector<double> parse_numbers(const std::string& text, const std::string& flag);
std::vector<std::string> parse_names(const std::string& text, const std::string& flag);

}  // namespace wordsway::app
