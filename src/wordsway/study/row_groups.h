// Rows of a study that belong together: those of a point, of a curve, of a label.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "wordsway/core/record.h"

namespace wordsway {

struct RowGroup {
  Record identity;
  std::vector<const Record*> rows;  // some of those that were given
};

/// One group for each identity, in the order of first appearance. `identities_of` says to which groups a row belongs:
/// none, one or several. The rows must outlive the groups.
std::vector<RowGroup> group_rows(const std::vector<Record>& rows,
                                 const std::function<std::vector<Record>(const Record& row)>& identities_of);

/// These fields of a row; a field that it lacks has no value.
Record fields_of(const Record& row, const std::vector<std::string>& fields);

}  // namespace wordsway
