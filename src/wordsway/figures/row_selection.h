// Rows of a study, picked and read: what charts and verdicts are made from.
#pragma once

#include <string>
#include <vector>

#include "wordsway/core/record.h"
#include "wordsway/figures/line_chart.h"

namespace wordsway {

using Rows = std::vector<Record>;

/// True when the field is there, is a number and is finite. (A journal keeps no other, so a run that counted them would
/// not agree with the report of its journal.)
bool holds_number(const Record& row, const std::string& field);

/// True when the field is there and is `true`.
bool is_true(const Record& row, const std::string& field);

/// Those whose field is this text, or this number. Rows without the field are left out.
Rows rows_where(const Rows& rows, const std::string& field, const std::string& value);
Rows rows_where(const Rows& rows, const std::string& field, double value);

/// The numbers of a field; rows without it are left out, and so are those whose number is not finite.
std::vector<double> numbers_of(const Rows& rows, const std::string& field);
/// Its different values, growing.
std::vector<double> distinct_numbers(const Rows& rows, const std::string& field);
/// Its different texts, in order of appearance.
std::vector<std::string> distinct_texts(const Rows& rows, const std::string& field);
/// The rows in which a number is largest (smallest); none of none.
Rows at_largest(const Rows& rows, const std::string& field);
Rows at_smallest(const Rows& rows, const std::string& field);

/// Mean and standard deviation of `y` against `x` over trials.
Series curve(const Text& label, const Rows& rows, const std::string& x, const std::string& y);

/// One series for each curve of S against n: rows that agree in `by` (map, d, ...).
std::vector<Series> curves_against_n(const Rows& rows, const std::vector<std::string>& by);
/// The same for any two fields.
std::vector<Series> curves(const Rows& rows, const std::string& x, const std::string& y,
                           const std::vector<std::string>& by);

}  // namespace wordsway
