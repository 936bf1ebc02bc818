#include "wordsway/text/questions/question_grammar.h"

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <vector>

#include "wordsway/random/stream.h"
#include "wordsway/text/questions/question_tables.h"
#include "wordsway/text/reviews/tables.h"

namespace wordsway {
namespace questions {
namespace {

using grammar::Grammar;
using grammar::Rule;

// Rules whose options are names, and are divided between the splits.
constexpr std::array<std::string_view, 6> kNameRules{"man",        "woman",      "surname", "title_adjective",
                                                     "title_noun", "title_place"};

bool is_name_rule(std::string_view name) {
  return std::find(kNameRules.begin(), kNameRules.end(), name) != kNameRules.end();
}

void add_options(const Rule& rule, std::set<std::string_view>& options) {
  for (std::size_t begin = 0; begin <= rule.options.size();) {
    const std::size_t end = std::min(rule.options.find('|', begin), rule.options.size());
    options.insert(rule.options.substr(begin, end - begin));
    begin = end + 1;
  }
}

// The names in a rule of the reviews, and those that the questions add to it.
std::set<std::string_view> names_of(const Rule& rule) {
  std::set<std::string_view> names;
  add_options(rule, names);
  for (const Rule& further : further_names()) {
    if (further.name == rule.name) add_options(further, names);
  }
  return names;
}

// By the name itself and not by its place in a table: "Florence" is a woman and a town.
bool draw_held_out(std::string_view name) {
  constexpr std::uint64_t kSeed = 2402'02969;
  constexpr double kShare = 0.2;
  return Stream(kSeed).derive("held-out name").derive(name).uniform(0) < kShare;
}

std::string names_of_split(const Rule& rule, QuestionSplit split) {
  std::string names;
  for (const std::string_view name : names_of(rule)) {
    if (draw_held_out(name) != (split == QuestionSplit::kHeldOut)) continue;
    if (!names.empty()) names += '|';
    names += name;
  }
  return names;
}

// The real names of a split are rules "real_man" and so on; "man" is one of them or a made-up name.
Grammar make_grammar(QuestionSplit split) {
  const std::array own{question_rules(), phrase_rules(split), syllable_rules(), coined_name_rules(split)};
  std::set<std::string_view> own_names;
  for (const auto table : own) {
    for (const Rule& rule : table) own_names.insert(rule.name);
  }
  std::deque<std::string> texts;  // what the rules of names point to until the grammar has copied it
  std::vector<Rule> taken;
  for (const auto table : reviews::neutral_tables()) {
    for (const Rule& rule : table) {
      if (is_name_rule(rule.name)) {
        const std::string& name = texts.emplace_back("real_" + std::string(rule.name));
        taken.push_back({name, texts.emplace_back(names_of_split(rule, split))});
      } else if (!own_names.contains(rule.name)) {
        taken.push_back(rule);
      }
    }
  }
  const std::array<std::span<const Rule>, 5> tables{taken, own[0], own[1], own[2], own[3]};
  return Grammar(tables);
}

std::vector<std::string> draw_held_out_names() {
  std::set<std::string> names;
  for (const auto table : reviews::neutral_tables()) {
    for (const Rule& rule : table) {
      if (!is_name_rule(rule.name)) continue;
      for (const std::string_view name : names_of(rule)) {
        if (draw_held_out(name)) names.emplace(name);
      }
    }
  }
  return {names.begin(), names.end()};
}

}  // namespace

const Grammar& question_grammar(QuestionSplit split) {
  static const Grammar training = make_grammar(QuestionSplit::kTraining);
  static const Grammar held_out = make_grammar(QuestionSplit::kHeldOut);
  return split == QuestionSplit::kTraining ? training : held_out;
}

}  // namespace questions

std::span<const std::string> held_out_names() {
  static const std::vector<std::string> names = questions::draw_held_out_names();
  return names;
}

bool has_held_out_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_held_out = [names = held_out_names()](std::string_view word) {
    return std::binary_search(names.begin(), names.end(), word);
  };
  for (auto begin = text.begin(); begin != text.end();) {
    begin = std::find_if(begin, text.end(), is_letter);
    const auto end = std::find_if_not(begin, text.end(), is_letter);
    const std::string_view word(begin, end);
    if (is_held_out(word) || (word.ends_with('s') && is_held_out(word.substr(0, word.size() - 1)))) return true;
    begin = end;
  }
  return false;
}

}  // namespace wordsway
