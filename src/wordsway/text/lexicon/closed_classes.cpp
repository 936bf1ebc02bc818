#include "wordsway/text/lexicon/closed_classes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include <fmt/format.h>

#include "wordsway/text/tables/tables.h"
#include "wordsway/text/words/known_names.h"
#include "wordsway/text/words/whole_words.h"

namespace wordsway {
namespace {

constexpr const char* kTable = "lexicon/closed_classes.tsv";

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(mark, begin), text.size());
    std::string_view part = text.substr(begin, end - begin);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (part.empty()) tables::refuse_table(kTable, text, "a word is empty");
    parts.push_back(part);
    begin = end + 1;
  }
  return parts;
}

class ClassReader {
 public:
  std::map<std::string, ClosedWord, std::less<>> read() {
    const auto rows = tables::rows_of(kTable, {"class", "effect", "words"});
    for (const auto& row : rows) {
      if (row[1] == "same") relate_all(row[0], split(row[2], '|'), &ClosedWord::synonyms);
      if (row[1] == "detail") relate_all(row[0], split(row[2], '|'), &ClosedWord::alike);
    }
    constexpr std::string_view kAfter = "opposite after ";
    for (const auto& row : rows) {
      const std::string_view name = row[0], effect = row[1], words = row[2];
      if (effect == "opposite")
        relate_sides(name, words, &ClosedWord::antonyms, true);
      else if (effect == "opposite one way")
        relate_sides(name, words, &ClosedWord::antonyms, false);
      else if (effect == "same one way")
        relate_sides(name, words, &ClosedWord::synonyms, false);
      else if (effect == "detail one way")
        relate_sides(name, words, &ClosedWord::alike, false);
      else if (effect.starts_with(kAfter))
        relate_after(name, words, split(effect.substr(kAfter.size()), ' '));
      else if (effect != "same" && effect != "detail")
        tables::refuse_table(kTable, words, "the effect is not same, opposite or detail, nor one of these one way");
    }
    for (auto& entry : found_) {
      ClosedWord& known = entry.second;
      // A word is alike only if it is neither a synonym nor an opposite.
      std::erase_if(known.alike, [&known](const std::string& one) {
        return std::ranges::count(known.synonyms, one) + std::ranges::count(known.antonyms, one) > 0;
      });
    }
    return std::move(found_);
  }

 private:
  ClosedWord& at(std::string_view name, std::string_view word) {
    return found_.emplace(without_case(word), ClosedWord{.name = name}).first->second;
  }

  static void add(std::vector<std::string>& to, std::string_view word) {
    if (std::ranges::find(to, word) == to.end()) to.emplace_back(word);
  }

  void relate_all(std::string_view name, const std::vector<std::string_view>& words,
                  std::vector<std::string> ClosedWord::*list) {
    for (const std::string_view word : words) {
      ClosedWord& known = at(name, word);
      for (const std::string_view other : words)
        if (other != word) add(known.*list, other);
    }
  }

  using Sides = std::array<std::vector<std::string_view>, 2>;

  static Sides sides_of(std::string_view words) {
    const auto sides = split(words, ':');
    if (sides.size() != 2) tables::refuse_table(kTable, words, "there are two sides, with ':' between them");
    return {split(sides[0], '|'), split(sides[1], '|')};
  }

  void relate_sides(std::string_view name, std::string_view words, std::vector<std::string> ClosedWord::*list,
                    bool both_ways) {
    const auto [left, right] = sides_of(words);
    for (const std::string_view one : left)
      for (const std::string_view other : right) {
        add(at(name, one).*list, other);
        ClosedWord& back = at(name, other);
        if (both_ways) add(back.*list, one);
      }
  }

  void relate_after(std::string_view name, std::string_view words, const std::vector<std::string_view>& verbs) {
    const auto [left, right] = sides_of(words);
    for (const auto& [word, other] : {std::pair{left.front(), right.front()}, {right.front(), left.front()}})
      at(name, word).after.push_back({{verbs.begin(), verbs.end()}, std::string(other)});
  }

  std::map<std::string, ClosedWord, std::less<>> found_;
};

}  // namespace

const ClosedWord* closed_word(std::string_view word) {
  static const auto words = ClassReader().read();
  const auto found = words.find(word);
  return found == words.end() ? nullptr : &found->second;
}

std::optional<ClosedWord> name_word(std::string_view word) {
  static const tables::RuleTable short_names("lexicon/short_names.txt");
  const std::string folded = without_case(word);
  const auto as_one_of = [&](std::string_view name, const auto& members) {
    ClosedWord known{.name = name};
    for (const std::string_view member : members)
      if (without_case(member) != folded) known.alike.emplace_back(member);
    return known;
  };
  if (const NameGroup* const group = group_of(word)) {
    if (!group->told_by_word && folded == word) return std::nullopt;
    return as_one_of(group->name, group->members);
  }
  const auto members = short_names.options("short_name");
  if (std::ranges::find(members, word) == members.end()) return std::nullopt;
  return as_one_of("first name", members);
}

std::optional<ClosedWord> number_word(std::string_view word) {
  long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || word.size() > 9 || value < 0) return std::nullopt;
  if (word.size() > 1 && word.front() == '0') return std::nullopt;  // a code, not a count
  ClosedWord known{.name = "number"};
  const bool is_year = word.size() == 4 && value >= 1800 && value < 2100;
  for (const long step : {1L, -1L, 2L, -2L, 5L, -5L, 10L, -10L}) {
    const long other = value + (is_year || value < 100 ? step : step * (value / 100));
    if (other > 0) known.alike.push_back(fmt::format("{}", other));
  }
  return known;
}

}  // namespace wordsway
