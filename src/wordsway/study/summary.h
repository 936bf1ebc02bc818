// Rows of any study, point by point: means and deviations over trials.
#pragma once

#include <vector>

#include "wordsway/core/record.h"

namespace wordsway {

/// One record a point, in the order of first appearance: the fields that make it, `trials`, `failed`, then for every
/// number measured its mean under its own name and its standard deviation as NAME_deviation (missing for one trial).
///
/// The fields that make a point are those before `trial`, and after it the texts, `penalty` and `layer`. Rows of failed
/// trials count only in `failed`.
std::vector<Record> summarise_points(const std::vector<Record>& rows);

}  // namespace wordsway
