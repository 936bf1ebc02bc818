#include "wordsway/text/tables/tables.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/places.h"
#include "wordsway/core/error.h"
#include "wordsway/text/grammar/grammar.h"
#include "wordsway/text/pairs/pair_templates.h"
#include "wordsway/text/questions/question_tables.h"
#include "wordsway/text/reviews/tables.h"

namespace wordsway::tables {
namespace {

using grammar::Rule;
using testing::ElementsAre;
using testing::HasSubstr;

std::string fault_of(std::string_view text) {
  try {
    RuleTable("some/table.txt", text);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

std::string row_fault_of(std::string_view text) {
  try {
    rows_of("some/table.tsv", text, {"a", "b"});
  } catch (const InternalError& error) {
    return error.what();
  }
  return "";
}

TEST(Tables, RulesMayBeWrappedAndCommented) {
  const RuleTable table("t",
                        "# head\n\nplain = a | b c |\n    d\n\n# more\ntalk+ =\n    one [x/\n      y]\n  | two |\n");
  ASSERT_EQ(table.rules().size(), 2u);
  EXPECT_EQ(table.rules()[0].name, "plain");
  EXPECT_EQ(table.rules()[0].options, "a|b c|d");
  EXPECT_EQ(table.rules()[1].options, "one [x/ y]|two|");
  EXPECT_THAT(table.options("plain"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(table.options("talk+"), ElementsAre("one [x/ y]", "two", ""));
  EXPECT_THROW(table.options("other"), InternalError);
}

TEST(Tables, MalformedRulesAreRefusedWithTheirLine) {
  EXPECT_EQ(fault_of("a = b\n\n    c\n"),
            "built-in table some/table.txt, line 3: an indented line that belongs to no rule");
  EXPECT_THAT(fault_of("a = b\n# x\n    c\n"), HasSubstr("line 3: an indented line"));
  EXPECT_THAT(fault_of("a = b\na: c\n"), HasSubstr("line 2: expected 'name = option | option'"));
  EXPECT_THAT(fault_of("A = b\n"), HasSubstr("line 1: expected"));
  EXPECT_THAT(fault_of("a = b\na = c\n"), HasSubstr("line 2: the rule 'a' is given twice"));
  EXPECT_THAT(fault_of("a =\n"), HasSubstr("line 1: the rule 'a' has no options"));
  EXPECT_THAT(fault_of("a = [b\n  | c}\n"), HasSubstr("line 1: brackets of the rule 'a' do not match"));
  EXPECT_THAT(fault_of("a = }b{\n"), HasSubstr("do not match"));
  EXPECT_THAT(fault_of("a =\tb\n"), HasSubstr("line 1: a tab"));
  EXPECT_THAT(fault_of("# nothing\n"), HasSubstr("there is no rule"));
}

TEST(Tables, RowsHaveTheColumnsOfTheirHeader) {
  EXPECT_THAT(rows_of("t", "# head\na\tb\n1\t2\n# x\n3\t4\n", {"a", "b"}),
              ElementsAre(ElementsAre("1", "2"), ElementsAre("3", "4")));
  EXPECT_THAT(row_fault_of("b\ta\n1\t2\n"), HasSubstr("line 1: expected the columns a, b"));
  EXPECT_THAT(row_fault_of("a\tb\n1\n"), HasSubstr("line 2: expected 2 fields, none of them empty"));
  EXPECT_THAT(row_fault_of("a\tb\n1\t\n"), HasSubstr("line 2: expected 2 fields"));
  EXPECT_THAT(row_fault_of("a\tb\n"), HasSubstr("there are no rows"));
}

TEST(Tables, AnUnknownFileIsRefused) {
  EXPECT_THROW(RuleTable("pairs/nothing.txt"), InternalError);
  EXPECT_THROW(rows_of("pairs/nothing.tsv", {"a"}), InternalError);
}

TEST(Tables, TheLibraryHasTheFilesOfTheSourceByteForByte) {
  const std::filesystem::path text = test::source_folder() / "src/wordsway/text";
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(text)) {
    const std::filesystem::path& path = entry.path();
    if (!entry.is_regular_file() || path.parent_path().filename() != "data") continue;
    const std::string name = path.parent_path().parent_path().filename().string() + "/" + path.filename().string();
    const auto file = std::ranges::find(table_files(), name, &TableFile::name);
    ASSERT_NE(file, table_files().end()) << name;
    EXPECT_EQ(file->text, test::read_bytes(path)) << name;
    ++found;
  }
  EXPECT_EQ(found, table_files().size());
}

// The names in {name}, {=name} and {!name} of a text.
void add_references(std::string_view text, std::set<std::string, std::less<>>& names) {
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    std::string_view name = text.substr(open + 1, text.find('}', open) - open - 1);
    if (name.starts_with('=') || name.starts_with('!')) name.remove_prefix(1);
    names.emplace(name);
  }
}

// "talk+" and "he:m" are used as "talk" and "he".
std::string_view used_name(std::string_view rule) {
  return rule.substr(0, rule.find_first_of("+-:"));
}

TEST(Tables, EveryFillerIsUsedByAPair) {
  std::set<std::string, std::less<>> used;
  for (const pairs::PairClass& kind : pairs::pair_classes())
    for (const pairs::PairTemplate& one : kind.templates) {
      add_references(one.anchor, used);
      add_references(one.control, used);
    }
  for (const Rule& rule : pairs::filler_rules()) add_references(rule.options, used);
  for (const Rule& rule : pairs::filler_rules()) EXPECT_TRUE(used.contains(rule.name)) << rule.name;
}

TEST(Tables, EveryRuleOfReviewsAndQuestionsIsUsed) {
  std::set<std::string, std::less<>> used = {
      "opening",  "verdict", "acting",     "character", "scene",      "craft",      "sound",      "plot_opinion",
      "contrast", "hedge",   "concession", "premise",   "scene_fact", "sound_fact", "digression", "plain_opening"};
  std::vector<std::span<const Rule>> all(reviews::all_tables().begin(), reviews::all_tables().end());
  for (const auto table : {questions::question_rules(), questions::syllable_rules()}) all.push_back(table);
  for (const QuestionSplit split : {QuestionSplit::kTraining, QuestionSplit::kHeldOut}) {
    all.push_back(questions::phrase_rules(split));
    all.push_back(questions::coined_name_rules(split));
  }
  used.insert({"him", "it"});  // no sentence has them, but the digest of the reviews, which journals keep, does
  for (const auto table : all)
    for (const Rule& rule : table) add_references(rule.options, used);
  for (const questions::QuestionKind& kind : questions::question_kinds()) {
    add_references(kind.question, used);
    for (const questions::Answer& answer : kind.answers) add_references(answer.text, used);
  }
  std::vector<questions::Statement> statements(questions::statements().begin(), questions::statements().end());
  statements.push_back(questions::neutral_statement());
  for (const questions::Statement& statement : statements) {
    for (const auto way : statement.training) add_references(way, used);
    for (const auto way : statement.held_out) add_references(way, used);
  }
  for (const auto table : all)
    for (const Rule& rule : table) EXPECT_TRUE(used.contains(used_name(rule.name))) << rule.name;
}

TEST(Tables, WordListsHaveNoWordTwice) {
  for (const TableFile& file : table_files()) {
    if (!file.name.ends_with(".txt") || file.name == "questions/statements.txt") continue;
    const RuleTable table(file.name);
    for (const Rule& rule : table.rules()) {
      // In these, and in lists of rules and choices, what comes twice is drawn twice as often.
      const bool is_weighted =
          rule.name.starts_with("degree") || rule.name == "was" || rule.name == "would" || rule.name == "much";
      if (is_weighted || rule.options.find_first_of("{[") != std::string_view::npos) continue;
      const std::vector<std::string> options = grammar::split_options(rule.options);
      std::map<std::string, int> counts;
      for (const std::string& option : options) ++counts[option];
      for (const auto& [option, count] : counts)
        EXPECT_EQ(count, 1) << option << " in " << rule.name << " of " << file.name;
    }
  }
}

TEST(Tables, EveryStatementIsAskedForAndEveryAnswerHasItsStatement) {
  std::set<std::string_view> asked;
  for (const questions::QuestionKind& kind : questions::question_kinds())
    for (const questions::Answer& answer : kind.answers) asked.insert(answer.statement);
  for (const questions::Statement& statement : questions::statements())
    EXPECT_TRUE(asked.contains(statement.name)) << statement.name;
}

}  // namespace
}  // namespace wordsway::tables
