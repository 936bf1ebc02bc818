// What the grids of studies have in common: sizes, a radius and a token.
#pragma once

#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// Throws UsageError when one of the sizes is below 1.
void check_sizes(const std::vector<Index>& sizes, const char* name);
/// Throws UsageError unless it is a number from 0 on.
void check_radius(double radius);
/// Throws UsageError when one of the lengths has no such token.
void check_token(Index token, const std::vector<Index>& lengths);

}  // namespace wordsway
