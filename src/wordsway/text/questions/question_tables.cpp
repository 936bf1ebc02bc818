#include "wordsway/text/questions/question_tables.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "wordsway/text/tables/tables.h"

namespace wordsway::questions {
namespace {

using grammar::Rule;
using tables::RuleTable;

constexpr const char* kStatementFile = "questions/statements.txt";
constexpr std::string_view kTopics[] = {"verdict", "fault", "people",  "stars",  "ending",
                                        "day",     "home",  "company", "nothing"};  // in the order of Topic

Topic topic_named(std::string_view name) {
  const auto found = std::ranges::find(kTopics, name);
  if (found == std::end(kTopics)) tables::refuse_table(kStatementFile, name, "unknown topic");
  return static_cast<Topic>(found - std::begin(kTopics));
}

// A statement is three rules: NAME.topic, NAME.training and NAME.held_out.
std::vector<Statement> read_statements() {
  static const RuleTable table(kStatementFile);
  std::vector<Statement> all;
  for (const Rule& rule : table.rules()) {
    const std::size_t dot = rule.name.find('.');
    const std::string_view name = rule.name.substr(0, dot), part = rule.name.substr(std::min(dot, rule.name.size()));
    if (part == ".topic") {
      const std::string prefix(name);
      all.push_back(
          {name, topic_named(rule.options), table.options(prefix + ".training"), table.options(prefix + ".held_out")});
    } else if ((part != ".training" && part != ".held_out") || all.empty() || all.back().name != name) {
      tables::refuse_table(kStatementFile, rule.name, "expected NAME.topic, NAME.training and NAME.held_out");
    }
  }
  return all;
}

// The neutral statement is the last one, and the only one about nothing.
const std::vector<Statement>& all_statements() {
  static const std::vector<Statement> all = [] {
    std::vector<Statement> read = read_statements();
    const auto about_nothing = std::ranges::count(read, Topic::kNothing, &Statement::topic);
    if (about_nothing != 1 || read.back().topic != Topic::kNothing)
      tables::refuse_table(kStatementFile, "", "the last statement, and no other, must be about nothing");
    return read;
  }();
  return all;
}

std::vector<QuestionKind> read_kinds() {
  std::vector<QuestionKind> kinds;
  for (const tables::Row& row : tables::rows_of("questions/kinds.tsv", {"kind", "question"}))
    kinds.push_back({row[0], row[1], {}});
  constexpr const char* kFile = "questions/answers.tsv";
  for (const tables::Row& row : tables::rows_of(kFile, {"kind", "statement", "answer"})) {
    const auto kind = std::ranges::find(kinds, row[0], &QuestionKind::name);
    if (kind == kinds.end()) tables::refuse_table(kFile, row[0], "kinds.tsv has no such kind");
    if (std::ranges::find(statements(), row[1], &Statement::name) == statements().end())
      tables::refuse_table(kFile, row[1], "statements.txt has no such statement");
    kind->answers.push_back({row[1], row[2]});
  }
  for (const QuestionKind& kind : kinds)
    if (kind.answers.empty()) tables::refuse_table(kFile, kind.name, "this kind has no answers");
  return kinds;
}

std::array<std::vector<std::string_view>, std::size(kTopics)> read_mentions() {
  constexpr const char* kFile = "questions/mentions.txt";
  static const RuleTable table(kFile);
  std::array<std::vector<std::string_view>, std::size(kTopics)> all;
  for (const Rule& rule : table.rules())
    all.at(static_cast<std::size_t>(topic_named(rule.name))) = table.options(rule.name);
  return all;
}

}  // namespace

std::span<const Statement> statements() {
  return std::span(all_statements()).first(all_statements().size() - 1);
}

const Statement& neutral_statement() {
  return all_statements().back();
}

std::span<const std::string_view> mentions(Topic topic) {
  static const auto all = read_mentions();
  return all.at(static_cast<std::size_t>(topic));
}

std::span<const QuestionKind> question_kinds() {
  static const std::vector<QuestionKind> kinds = read_kinds();
  return kinds;
}

std::span<const Rule> question_rules() {
  static const RuleTable table("questions/words.txt");
  return table.rules();
}

std::span<const Rule> phrase_rules(QuestionSplit split) {
  static const RuleTable training("questions/phrases_training.txt"), held_out("questions/phrases_held_out.txt");
  return (split == QuestionSplit::kTraining ? training : held_out).rules();
}

std::span<const Rule> further_names() {
  static const RuleTable table("questions/names.txt");
  return table.rules();
}

std::span<const Rule> syllable_rules() {
  static const RuleTable table("questions/syllables.txt");
  return table.rules();
}

std::span<const Rule> coined_name_rules(QuestionSplit split) {
  static const RuleTable training("questions/coined_training.txt"), held_out("questions/coined_held_out.txt");
  return (split == QuestionSplit::kTraining ? training : held_out).rules();
}

}  // namespace wordsway::questions
