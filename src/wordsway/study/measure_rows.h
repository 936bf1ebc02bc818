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

/// Appends the effect of words in the place of the measured tokens: typical (the mean over them), worst_word_change
/// (the largest), words_tried (the number of replacements) and left_out (the mean over tokens that can be left out;
/// missing if none can). Throws UsageError without a token.
void add_word_changes(Record& row, std::span<const WordChanges> tokens);

/// Whether a parameter is given nowhere but follows n and d by its default, in all rows that have it. It then does not
/// separate curves against n.
bool follows_size(const std::vector<Record>& rows, const std::string& parameter);

/// The exponents of S against n, one record for each curve with three or more n: map, d, depth, exponent, exponent_low,
/// exponent_high, and the other parameters that the curve has. A curve is the rows that share everything but n and the
/// trial, and parameters that follow n.
std::vector<Record> fit_curves(const std::vector<Record>& rows);

}  // namespace wordsway
