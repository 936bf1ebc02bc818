#include "wordsway/study/row_groups.h"

#include <unordered_map>

#include "wordsway/io/json.h"

namespace wordsway {

std::vector<RowGroup> group_rows(const std::vector<Record>& rows,
                                 const std::function<std::vector<Record>(const Record& row)>& identities_of) {
  std::vector<RowGroup> groups;
  std::unordered_map<std::string, size_t> places;
  size_t last = 0;  // rows of a group are mostly neighbours, and comparing is cheaper than spelling out
  for (const Record& row : rows)
    for (Record& identity : identities_of(row)) {
      if (groups.empty() || groups[last].identity != identity) {
        const auto [place, is_new] = places.emplace(to_json(identity), groups.size());
        if (is_new) groups.push_back({std::move(identity), {}});
        last = place->second;
      }
      groups[last].rows.push_back(&row);
    }
  return groups;
}

Record fields_of(const Record& row, const std::vector<std::string>& fields) {
  Record result;
  for (const std::string& field : fields) result.set(field, row.missing(field) ? Value() : *row.find(field));
  return result;
}

}  // namespace wordsway
