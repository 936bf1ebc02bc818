#include "wordsway/io/journal.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class JournalTest : public testing::Test {
 protected:
  static JournalHeader header(std::int64_t seed = 1) {
    JournalHeader header;
    header.version = "0.1.0";
    header.command = "measure";
    header.config = {{"map", "raf"}, {"n", std::vector<std::int64_t>{10, 20}}, {"beta", std::vector<double>{1}},
                     {"width", {}},  {"names", std::vector<std::string>{}},    {"seed", seed}};
    header.build = {{"compiler", "12"}};
    header.machine = {{"cores", std::int64_t{2}}};
    return header;
  }
  static Record row(std::int64_t trial) { return {{"map", "raf"}, {"trial", trial}, {"sensitivity", 0.1}}; }

  std::string text() const {
    std::ostringstream content;
    content << std::ifstream(path_, std::ios::binary).rdbuf();
    return content.str();
  }
  void write(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }
  void add(const std::string& content) const { std::ofstream(path_, std::ios::binary | std::ios::app) << content; }

  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path("run.jsonl");
};

TEST_F(JournalTest, GivesBackWhatWasAppended) {
  Journal(path_, header()).append({row(0), row(1)});
  Journal(path_, header()).append({row(2)});
  const JournalContent content = read_journal(path_);
  EXPECT_EQ(content.header.command, "measure");
  EXPECT_EQ(to_json(content.header), to_json(header()));
  ASSERT_EQ(content.rows.size(), 3U);
  for (std::int64_t trial = 0; trial < 3; ++trial)
    EXPECT_EQ(content.rows[static_cast<size_t>(trial)].record, row(trial));
  EXPECT_FALSE(content.torn);
}

TEST_F(JournalTest, CutsATornLineOffBeforeItGoesOn) {
  Journal(path_, header()).append({row(0)});
  const std::string whole = text();
  add(R"({"map": "raf", "tri)");
  {
    Journal journal(path_, header());
    EXPECT_TRUE(journal.found().torn);
    EXPECT_EQ(journal.found().rows.size(), 1U);
    EXPECT_EQ(text(), whole);
    journal.append({row(1)});
  }
  EXPECT_EQ(read_journal(path_).rows.size(), 2U);
}

TEST_F(JournalTest, TakesAWholeLineWithoutItsNewlineForTorn) {
  Journal(path_, header()).append({row(0)});
  add(to_json(row(1)));
  EXPECT_TRUE(read_journal(path_).torn);
  EXPECT_EQ(read_journal(path_).rows.size(), 1U);
}

TEST_F(JournalTest, BeginsAgainWhenOnlyPartOfTheHeaderWasWritten) {
  write(to_json(header()).substr(0, 60));
  Journal(path_, header()).append({row(0)});
  EXPECT_EQ(read_journal(path_).rows.size(), 1U);
}

TEST_F(JournalTest, NamesTheFirstKeyThatDiffers) {
  { Journal journal(path_, header(1)); }
  EXPECT_THAT([&] { Journal journal(path_, header(2)); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("its seed is 1"), HasSubstr("this run's is 2"))));
}

TEST_F(JournalTest, NamesAnotherCommand) {
  { Journal journal(path_, header()); }
  JournalHeader other = header();
  other.command = "generalize";
  EXPECT_THAT([&] { Journal journal(path_, other); }, ThrowsMessage<UsageError>(HasSubstr("its command is measure")));
}

TEST_F(JournalTest, NamesAKeyThatOnlyOneOfThemHas) {
  JournalHeader more = header();
  more.config.set("radius", 2.0);
  { Journal journal(path_, more); }
  EXPECT_THAT([&] { Journal journal(path_, header()); },
              ThrowsMessage<UsageError>(HasSubstr("its radius is 2.0, this run's is nothing")));
}

TEST_F(JournalTest, RefusesAnotherSchema) {
  JournalHeader later = header();
  later.schema = 2;
  write(to_json(later) + "\n");
  EXPECT_THAT([&] { Journal journal(path_, header()); }, ThrowsMessage<UsageError>(HasSubstr("schema 2")));
}

TEST_F(JournalTest, LeavesAFileThatIsNotAJournalAsItIs) {
  for (const std::string content : {"my thesis\nchapter 1\n", "my thesis", "{\"a\": 1}\n", "[]\n", "\n", "{\"word"}) {
    write(content);
    EXPECT_THAT([&] { Journal journal(path_, header()); },
                ThrowsMessage<DataError>(HasSubstr("is not a wordsway journal")))
        << content;
    EXPECT_EQ(text(), content);
  }
}

TEST_F(JournalTest, NamesABrokenLineInTheMiddle) {
  write(to_json(header()) + "\n{\"a\": 1}\nnonsense\n{\"a\": 2}\n");
  EXPECT_THAT([&] { read_journal(path_); }, ThrowsMessage<DataError>(HasSubstr("line 3")));
}

TEST_F(JournalTest, RefusesASecondWriter) {
  const Journal first(path_, header());
  EXPECT_THAT([&] { Journal second(path_, header()); },
              ThrowsMessage<FileError>(HasSubstr("is being written by another wordsway")));
}

TEST_F(JournalTest, RefusesWhatIsNotARegularFile) {
  EXPECT_THROW(Journal("/dev/full", header()), FileError);
  EXPECT_THROW(Journal(folder_.folder(), header()), FileError);
  EXPECT_THROW(Journal(folder_.path("absent/run.jsonl"), header()), FileError);
}

}  // namespace
}  // namespace wordsway
