// Drawing without putting back.
#pragma once

#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// The first `count` of the numbers 0 … total − 1 in a random order, each order equally likely (Fisher and Yates). A
/// larger count begins with what a smaller one gives. Throws UsageError unless 0 ≤ count ≤ total.
std::vector<Index> random_order(const Stream& stream, Index total, Index count);

}  // namespace wordsway
