#include "wordsway/text/reviews/tables.h"

#include <deque>
#include <string>

#include "wordsway/text/tables/tables.h"

namespace wordsway::reviews {
namespace {

constexpr std::size_t kNeutral = 8;  // of these themes, the first ones
constexpr const char* kThemes[] = {"names", "film",        "plot",     "acting",   "scenes",   "craft",
                                   "sound", "digressions", "opinions", "verdicts", "contrasts"};

}  // namespace

std::span<const std::span<const grammar::Rule>> all_tables() {
  static const std::deque<tables::RuleTable> files = [] {
    std::deque<tables::RuleTable> all;
    for (const char* theme : kThemes) all.emplace_back("reviews/" + std::string(theme) + ".txt");
    return all;
  }();
  static const std::vector<std::span<const grammar::Rule>> rules = [] {
    std::vector<std::span<const grammar::Rule>> all;
    for (const tables::RuleTable& file : files) all.push_back(file.rules());
    return all;
  }();
  return rules;
}

std::span<const std::span<const grammar::Rule>> neutral_tables() {
  return all_tables().first(kNeutral);
}

}  // namespace wordsway::reviews
