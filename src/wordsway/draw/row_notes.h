// Where the notes beside the marks of named rows stand, so that none covers a mark or another note.
#pragma once

#include <vector>

#include "wordsway/draw/chart.h"

namespace wordsway {

struct RowNote {
  double x;  // of its left end
  Text text;
  std::string colour;
};

/// The field of a panel with marks: from `left` to `right` go the values from 0 to `end`.
struct RowField {
  double left = 0, right = 0, end = 1;
  double x(double value) const { return left + (right - left) * (value / end); }
};

inline constexpr double kRowMarkRadius = 5;

/// The field for these marks where `available` pixels right of `left` hold the notes, too.
RowField row_field(const Panel& panel, double left, double available);

/// The notes of a row.
std::vector<RowNote> row_notes(const Panel& panel, size_t row, const RowField& field, double available);

}  // namespace wordsway
