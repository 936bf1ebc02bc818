// Well-known names, in groups whose members can stand in each other's place: an uncased vocabulary does not show which
// of its words are names.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace wordsway {

struct NameGroup {
  std::string_view name;
  std::vector<std::string_view> members;  // with capitals
  bool told_by_word;                      // whether a member is a name without capitals too: "monday", not "may"
};

/// Weekdays, months, first names, surnames, cities, countries, languages and peoples.
std::span<const NameGroup> known_names();

/// The group of a word, without regard to case; the first that has it.
const NameGroup* group_of(std::string_view word);

}  // namespace wordsway
