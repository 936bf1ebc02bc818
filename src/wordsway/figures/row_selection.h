// Selecting and reading rows of a study, for charts and verdicts.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway {

using Rows = std::vector<Record>;

/// True if the field exists and is a finite number. (Journals keep no others, so a run that counted them would not
/// agree with the report of its journal.)
bool holds_number(const Record& row, const std::string& field);

/// True if the field exists and is `true`.
bool is_true(const Record& row, const std::string& field);

/// The rows whose field is this text or number. Rows without the field are left out.
Rows rows_where(const Rows& rows, const std::string& field, const std::string& value);
Rows rows_where(const Rows& rows, const std::string& field, double value);

/// The finite numbers of a field; rows without one are left out.
std::vector<double> numbers_of(const Rows& rows, const std::string& field);
/// The distinct values of a field in ascending order.
std::vector<double> distinct_numbers(const Rows& rows, const std::string& field);
/// The distinct texts of a field in order of appearance.
std::vector<std::string> distinct_texts(const Rows& rows, const std::string& field);
/// The rows in which a number is largest (smallest).
Rows at_largest(const Rows& rows, const std::string& field);
Rows at_smallest(const Rows& rows, const std::string& field);

/// Mean and standard deviation of `y` against `x` over trials.
Series curve(const Text& label, const Rows& rows, const std::string& x, const std::string& y);

/// One series for each curve of S against n: rows that agree in `by` (map, d, ...).
std::vector<Series> curves_against_n(const Rows& rows, const std::vector<std::string>& by);
/// Likewise for any two fields.
std::vector<Series> curves(const Rows& rows, const std::string& x, const std::string& y,
                           const std::vector<std::string>& by);

}  // namespace wordsway
