// Rows of measurements, and the power laws fitted through them.
#pragma once

#include "wordsway/core/record.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/sensitivity/word_changes.h"

namespace wordsway {

// The part of a row of `measure` that every kind of measurement shares.

/// Appends token, sensitivity, its bounds, predictions (missing, to be set by those who have them), norms and how the
/// search went.
void add_sensitivity(Record& row, const TokenSensitivity& found, double feature_norm);

/// Appends what words did in the place of the tokens that were measured: typical (the mean over them),
/// worst_word_change (the largest), words_tried (how many replacements that is over) and left_out (the mean over those
/// that can be; missing where none can). Throws UsageError without a token.
void add_word_changes(Record& row, std::span<const WordChanges> tokens);

/// Whether a parameter is nowhere given but follows n and d by its default, in all rows that have it: then it does not
/// tell curves against n apart.
bool follows_size(const std::vector<Record>& rows, const std::string& parameter);

}  // namespace wordsway
