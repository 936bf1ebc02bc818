#include "wordsway/text/words/known_names.h"

#include <string>
#include <unordered_map>

#include "wordsway/text/tables/tables.h"
#include "wordsway/text/words/whole_words.h"

namespace wordsway {
namespace {

constexpr const char* kFile = "words/known_names.txt";

// A group, its rule in the file, and whether its members are names without capitals too.
struct GroupRule {
  std::string_view name, rule;
  bool told_by_word;
};
constexpr GroupRule kGroups[] = {
    {"weekday", "weekday", true},  {"month", "month", false},   {"city", "city", true},
    {"country", "country", true},  {"people", "people", false}, {"first name", "first_name", false},
    {"surname", "surname", false},
};

std::vector<NameGroup> read_groups() {
  static const tables::RuleTable table(kFile);
  if (table.rules().size() != std::size(kGroups)) tables::refuse_table(kFile, "", "has another number of groups");
  std::vector<NameGroup> groups;
  for (const GroupRule& group : kGroups) groups.push_back({group.name, table.options(group.rule), group.told_by_word});
  return groups;
}

}  // namespace

std::span<const NameGroup> known_names() {
  static const std::vector<NameGroup> groups = read_groups();
  return groups;
}

const NameGroup* group_of(std::string_view word) {
  static const std::unordered_map<std::string, const NameGroup*> groups = [] {
    std::unordered_map<std::string, const NameGroup*> result;
    for (const NameGroup& group : known_names())
      for (const std::string_view member : group.members) result.emplace(without_case(member), &group);
    return result;
  }();
  const auto found = groups.find(without_case(word));
  return found == groups.end() ? nullptr : found->second;
}

}  // namespace wordsway
