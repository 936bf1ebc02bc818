// Reports made from journals alone.
#include <filesystem>

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ReportTest : public testing::Test {
 protected:
  std::string file(const std::string& name) const { return read_bytes(folder_.path("report") / name); }
  ProgramResult report(std::vector<std::string> journals) const {
    journals.insert(journals.begin(), "report");
    journals.insert(journals.end(), {"-o", folder_.path("report").string()});
    return run_wordsway(journals);
  }

  TemporaryFolder folder_;
  std::string journal_ = folder_.path("run.jsonl").string();
};

TEST_F(ReportTest, WritesTablesAndAChart) {
  ASSERT_EQ(run_wordsway({"measure", "--n", "5,10,20", "--d", "8", "--trials", "4", "--out", journal_}).exit_code, 0);
  const ProgramResult result = report({journal_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("measure"), HasSubstr("run.points.csv")));
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  EXPECT_EQ(lines(file("run.rows.csv")), 13);
  EXPECT_EQ(lines(file("run.points.csv")), 4);
  EXPECT_THAT(file("run.points.csv"), HasSubstr("sensitivity_deviation"));
  EXPECT_THAT(file("run.fits.csv"), StartsWith("map,d,depth,exponent"));
  EXPECT_THAT(file("run.svg"), HasSubstr("<svg"));
}

TEST_F(ReportTest, WritesOnePageOfAllJournals) {
  const std::string learnt = folder_.path("learnt.jsonl").string();
  ASSERT_EQ(run_wordsway({"measure", "--n", "5,20,10", "--d", "8", "--trials", "4", "--out", journal_}).exit_code, 0);
  ASSERT_EQ(run_wordsway({"generalize", "--n", "5", "--d", "8", "--train-size", "6", "--trials", "2", "--out", learnt})
                .exit_code,
            0);
  const ProgramResult result = report({journal_, learnt});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string page = file("report.html");
  EXPECT_THAT(page, AllOf(StartsWith("<!DOCTYPE html>"), HasSubstr("run: word sensitivity of raf"),
                          HasSubstr("learnt: learning a one-word change on raf"), HasSubstr("Exponents"),
                          HasSubstr("Error against γ"), HasSubstr("<dt>seed</dt><dd>1</dd>")));
  EXPECT_LT(page.find("<td class=\"number\">10</td>"), page.find("<td class=\"number\">20</td>")) << "sizes ascend";
}

TEST_F(ReportTest, ShowsTheWordsOfAText) {
  const std::string text = "turn off the dark mode please";
  ASSERT_EQ(run_wordsway({"words", text, "--out", journal_}).exit_code, 0);
  const ProgramResult result = report({journal_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(file("report.html"),
              AllOf(HasSubstr("run: which words matter to builtin"), HasSubstr(">word</th>"), HasSubstr("dark"),
                    HasSubstr("the worst of them"), HasSubstr("<dt>texts</dt><dd>" + text)));
  EXPECT_FALSE(std::filesystem::exists(folder_.path("report") / "run.points.csv")) << "there are no trials";
}

TEST_F(ReportTest, ShowsSubstitutions) {
  const std::string words = folder_.path("words.txt").string();
  write_bytes(words, "light\nloud\n");
  ASSERT_EQ(
      run_wordsway({"substitute", "turn off the dark mode", "--candidates", words, "--word", "dark", "--out", journal_})
          .exit_code,
      0);
  const ProgramResult result = report({journal_});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(file("report.html"), AllOf(HasSubstr("run: words replaced by others, for builtin"), HasSubstr("light"),
                                         HasSubstr("loud"), HasSubstr("replacement")));
}

TEST_F(ReportTest, ShowsTheLayersOfAModelAsMeansOverTrials) {
  const std::string run = folder_.path("figures").string();
  ASSERT_EQ(run_wordsway({"reproduce", "layers", "attention-words", "--profile", "quick", "-o", run}).exit_code, 0);
  const ProgramResult result = report({run + "/layers.jsonl", run + "/attention-words.jsonl"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(file("report.html"),
              AllOf(HasSubstr("layers: how far each layer of builtin follows a moved token"),
                    HasSubstr("Means over trials"), HasSubstr("attention of builtin"), HasSubstr("I love her smile")));
  // A point for each direction and layer.
  EXPECT_THAT(file("layers.points.csv"), StartsWith("direction,layer,trials,failed,change,change_deviation"));
}

TEST_F(ReportTest, DrawsTokensAndPointsOfOneLength) {
  ASSERT_EQ(run_wordsway({"measure", "--map", "raf,rf", "--n", "6", "--d", "8", "--trials", "2", "--token", "all",
                          "--out", journal_})
                .exit_code,
            0);
  ASSERT_EQ(report({journal_}).exit_code, 0);
  EXPECT_THAT(file("run.svg"), HasSubstr("raf"));
  EXPECT_THAT(file("run.tokens.svg"), HasSubstr("token, counted from 0"));
}

TEST_F(ReportTest, ShowsWhatWordsDoBesideTheWorstMove) {
  const std::vector<std::string> study = {"measure", "--n", "5,10", "--d", "8", "--trials", "2", "--out", journal_};
  const auto with_words = [&](const char* count) {
    std::vector<std::string> arguments = study;
    arguments.insert(arguments.end(), {"--typical", count});
    return run_wordsway(arguments).exit_code;
  };
  ASSERT_EQ(with_words("4"), 0);
  EXPECT_EQ(with_words("4"), 0) << "goes on from its journal";
  EXPECT_EQ(with_words("5"), 2) << "another study";
  EXPECT_EQ(run_wordsway(study).exit_code, 2);
  ASSERT_EQ(report({journal_}).exit_code, 0);
  EXPECT_THAT(file("run.points.csv"), AllOf(HasSubstr("typical,typical_deviation"), HasSubstr("worst_word_change")));
  EXPECT_THAT(file("report.html"), AllOf(HasSubstr("worst_word_change"), HasSubstr("<dt>typical</dt><dd>4</dd>")));
}

TEST_F(ReportTest, KeepsJournalsOfTheSameNameApart) {
  std::filesystem::create_directory(folder_.path("other"));
  const std::string other = folder_.path("other/run.jsonl").string();
  ASSERT_EQ(run_wordsway({"measure", "--n", "5", "--d", "8", "--trials", "2", "--out", journal_}).exit_code, 0);
  ASSERT_EQ(run_wordsway({"measure", "--n", "6", "--d", "8", "--trials", "2", "--out", other}).exit_code, 0);
  ASSERT_EQ(report({journal_, other}).exit_code, 0);
  EXPECT_NE(file("run.rows.csv"), file("run-2.rows.csv"));
}

TEST_F(ReportTest, ExitsWith4WithoutAJournalAnd3WithAnotherFile) {
  EXPECT_EQ(report({journal_}).exit_code, 4);
  write_bytes(journal_, "my thesis\n");
  EXPECT_EQ(report({journal_}).exit_code, 3);
}

TEST_F(ReportTest, MarksAJournalWithoutChecksumsAsNotVerified) {
  const auto journal = folder_.path("old.jsonl");
  std::string lines =
      R"({"wordsway": {"schema": 1, "version": "0.1.0", "command": "measure", "config": {"map": ["raf"]}}})"
      "\n";
  for (const int n : {4, 8, 16})
    lines += R"({"map": "raf", "n": )" + std::to_string(n) + R"(, "d": 8, "trial": 0, "seed": 1, "sensitivity": 1.5})" +
             "\n";
  write_bytes(journal, lines);
  const ProgramResult result =
      run_wordsway({"report", journal.string(), "-o", folder_.path("old").string(), "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("its rows are not verified"));
  EXPECT_THAT(result.out, HasSubstr("\"verified\": false"));
  EXPECT_THAT(read_bytes(folder_.path("old") / "report.html"), HasSubstr("(rows not verified)"));
}

}  // namespace
}  // namespace wordsway::test
