// Rows of measurements, and the power laws fitted through them.
#pragma once

#include "wordsway/core/record.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {

// The part of a row of `measure` that every kind of measurement shares.

/// Appends token, sensitivity, its bounds, predictions (missing, to be set by those who have them), norms and how the
/// search went.
void add_sensitivity(Record& row, const TokenSensitivity& found, double feature_norm);

}  // namespace wordsway
