// The shape of an array in a file: how many items it asks for, and how messages write it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

/// The product of a shape without negative entries (1 for an empty shape). Nothing when the items, each of `item_size`
/// bytes, could not be addressed; a zero among the extents does not excuse the others.
std::optional<size_t> item_count(const std::vector<Index>& shape, size_t item_size);

/// As Python writes it: (), (3,), (3, 4).
std::string format_shape(const std::vector<Index>& shape);

}  // namespace wordsway
