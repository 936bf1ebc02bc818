// Study results as text for people and programs.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/io/row_text.h"

namespace wordsway {

// The sentences in tables for people about failed trials.

/// A line for every reason for which trials failed, in the order of first appearance: how many, which, and why.
std::vector<std::string> describe_failures(const std::vector<Record>& rows);

// Results of a measurement for people: one line for each point, with mean and standard deviation over trials, then the
// exponents.

/// The output in one of the four formats; `table` is for people.
std::string format_study(const StudyOutput& output, const std::string& format);

// Results of a generalisation study for people: one line for each point, training, objective and penalty, with means
// over trials.

/// The output in one of the four formats; `table` is for people.
std::string format_generalization(const StudyOutput& output, const std::string& format);

}  // namespace wordsway
