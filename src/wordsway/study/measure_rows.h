// Rows of measurements, and the power laws fitted through them.
#pragma once

#include "wordsway/core/record.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {

// The part of a row of `measure` that every kind of measurement shares.

/// Appends token, sensitivity, its bounds, predictions (missing, to be set by those who have them), norms and how the
/// search went.
void add_sensitivity(Record& row, const TokenSensitivity& found, double feature_norm);

/// Whether a parameter is nowhere given but follows n and d by its default, in all rows that have it: then it does not
/// tell curves against n apart.
bool follows_size(const std::vector<Record>& rows, const std::string& parameter);

}  // namespace wordsway
