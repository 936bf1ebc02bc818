#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/io/journal_writer.h"
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
    header.identity.command = "measure";
    header.identity.config = {
        {"map", "raf"}, {"n", std::vector<std::int64_t>{10, 20}}, {"beta", std::vector<double>{1}},
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
  JournalWriter(path_, header()).append({row(0), row(1)});
  JournalWriter(path_, header()).append({row(2)});
  const JournalContent content = read_journal(path_);
  EXPECT_EQ(content.header.identity.command, "measure");
  EXPECT_EQ(header_line(content.header), header_line(header()));
  ASSERT_EQ(content.rows.size(), 3U);
  for (std::int64_t trial = 0; trial < 3; ++trial)
    EXPECT_EQ(content.rows[static_cast<size_t>(trial)].record, row(trial));
  EXPECT_FALSE(content.torn);
}

TEST_F(JournalTest, CutsATornLineOffBeforeItGoesOn) {
  JournalWriter(path_, header()).append({row(0)});
  const std::string whole = text();
  add(R"({"map": "raf", "tri)");
  {
    JournalWriter journal(path_, header());
    EXPECT_TRUE(journal.found().torn);
    EXPECT_EQ(journal.found().rows.size(), 1U);
    EXPECT_EQ(text(), whole);
    journal.append({row(1)});
  }
  EXPECT_EQ(read_journal(path_).rows.size(), 2U);
}

TEST_F(JournalTest, TakesAWholeLineWithoutItsNewlineForTorn) {
  JournalWriter(path_, header()).append({row(0)});
  add(row_line(row(1), header().identity.fingerprint()));
  EXPECT_TRUE(read_journal(path_).torn);
  EXPECT_EQ(read_journal(path_).rows.size(), 1U);
}

TEST_F(JournalTest, BeginsAgainWhenOnlyPartOfTheHeaderWasWritten) {
  write(header_line(header()).substr(0, 60));
  JournalWriter(path_, header()).append({row(0)});
  EXPECT_EQ(read_journal(path_).rows.size(), 1U);
}

TEST_F(JournalTest, NamesTheFirstKeyThatDiffers) {
  { JournalWriter journal(path_, header(1)); }
  EXPECT_THAT([&] { JournalWriter journal(path_, header(2)); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("its seed is 1"), HasSubstr("this run's is 2"))));
}

TEST_F(JournalTest, NamesAnotherCommand) {
  { JournalWriter journal(path_, header()); }
  JournalHeader other = header();
  other.identity.command = "generalize";
  EXPECT_THAT([&] { JournalWriter journal(path_, other); },
              ThrowsMessage<UsageError>(HasSubstr("its command is measure")));
}

TEST_F(JournalTest, NamesAKeyThatOnlyOneOfThemHas) {
  JournalHeader more = header();
  more.identity.config.set("radius", 2.0);
  { JournalWriter journal(path_, more); }
  EXPECT_THAT([&] { JournalWriter journal(path_, header()); },
              ThrowsMessage<UsageError>(HasSubstr("its radius is 2.0, this run's is nothing")));
}

TEST_F(JournalTest, RefusesAnotherSchema) {
  JournalHeader later = header();
  later.schema = 3;
  write(header_line(later) + "\n");
  EXPECT_THAT([&] { JournalWriter journal(path_, header()); }, ThrowsMessage<UsageError>(HasSubstr("schema 3")));
}

TEST_F(JournalTest, LeavesAFileThatIsNotAJournalAsItIs) {
  for (const std::string content : {"my thesis\nchapter 1\n", "my thesis", "{\"a\": 1}\n", "[]\n", "\n", "{\"word"}) {
    write(content);
    EXPECT_THAT([&] { JournalWriter journal(path_, header()); },
                ThrowsMessage<DataError>(HasSubstr("is not a wordsway journal")))
        << content;
    EXPECT_EQ(text(), content);
  }
}

TEST_F(JournalTest, NamesABrokenLineInTheMiddle) {
  const std::string print = header().identity.fingerprint();
  write(header_line(header()) + "\n" + row_line(row(0), print) + "\nnonsense\n" + row_line(row(1), print) + "\n");
  EXPECT_THAT([&] { read_journal(path_); }, ThrowsMessage<DataError>(HasSubstr("line 3")));
}

TEST_F(JournalTest, RefusesASecondWriter) {
  const JournalWriter first(path_, header());
  EXPECT_THAT([&] { JournalWriter second(path_, header()); },
              ThrowsMessage<FileError>(HasSubstr("is being written by another wordsway")));
}

TEST_F(JournalTest, RefusesWhatIsNotARegularFile) {
  EXPECT_THROW(JournalWriter("/dev/full", header()), FileError);
  EXPECT_THROW(JournalWriter(folder_.folder(), header()), FileError);
  EXPECT_THROW(JournalWriter(folder_.path("absent/run.jsonl"), header()), FileError);
}

TEST_F(JournalTest, NamesTheContentThatDiffers) {
  const auto with_weights = [](const std::string& digits) {
    JournalHeader result = header();
    result.identity.content = {{"weights in model.safetensors", "xxh3:" + std::string(31, '0') + digits},
                               {"method of the search", std::int64_t{1}}};
    return result;
  };
  { JournalWriter journal(path_, with_weights("1")); }
  { JournalWriter journal(path_, with_weights("1")); }
  EXPECT_THAT([&] { JournalWriter journal(path_, with_weights("2")); },
              ThrowsMessage<UsageError>(
                  HasSubstr("the weights in model.safetensors are others than those of this journal; choose another")));
  EXPECT_THAT([&] { check_journal(path_, with_weights("2").identity); },
              ThrowsMessage<UsageError>(HasSubstr("weights")));
  JournalHeader later = with_weights("1");
  later.identity.content.set("method of the search", std::int64_t{2});
  EXPECT_THAT([&] { JournalWriter journal(path_, later); },
              ThrowsMessage<UsageError>(HasSubstr("its method of the search is 1, this run's is 2")));
  EXPECT_THAT([&] { JournalWriter journal(path_, header()); },
              ThrowsMessage<UsageError>(HasSubstr("it was made with weights in model.safetensors")));
}

TEST_F(JournalTest, DoesNotMindALabelThatDiffers) {
  JournalHeader first = header(), second = header();
  first.identity.labels = second.identity.labels = {"data"};
  first.identity.config.set("data", "here/x.npy");
  second.identity.config.set("data", "there/x.npy");
  EXPECT_EQ(first.identity.fingerprint(), second.identity.fingerprint());
  JournalWriter(path_, first).append({row(0)});
  JournalWriter(path_, second).append({row(1)});
  EXPECT_EQ(read_journal(path_).rows.size(), 2U);
}

TEST_F(JournalTest, NoticesEveryByteThatIsChanged) {
  JournalWriter(path_, header()).append({row(0), row(1)});
  const std::string whole = text();
  ASSERT_EQ(read_journal(path_).rows.size(), 2U);
  for (size_t k = 0; k + 1 < whole.size(); ++k) {
    std::string changed = whole;
    changed[k] = changed[k] == '7' ? '8' : '7';
    write(changed);
    try {
      const JournalContent content = read_journal(path_);
      // A line that is not JSON any more counts as torn, and only in the last line.
      EXPECT_TRUE(content.torn) << k;
      EXPECT_LE(content.rows.size(), 1U) << k;
    } catch (const Error&) {
    }
  }
}

TEST_F(JournalTest, RefusesARowThatIsNotWhole) {
  JournalWriter(path_, header()).append({row(0)});
  add("{\"map\": \"raf\", \"trial\": 1}\n");
  EXPECT_THAT([&] { read_journal(path_); },
              ThrowsMessage<DataError>(AllOf(HasSubstr("line 3"), HasSubstr("checksum"))));
}

TEST_F(JournalTest, RefusesARowOfAnotherJournal) {
  JournalWriter(path_, header(1)).append({row(0)});
  add(row_line(row(1), header(2).identity.fingerprint()) + "\n");
  EXPECT_THAT([&] { JournalWriter journal(path_, header(1)); },
              ThrowsMessage<DataError>(AllOf(HasSubstr("line 3"), HasSubstr("of another journal"))));
}

TEST_F(JournalTest, ReadsAnOlderSchemaUnverifiedAndDoesNotGoOnFromIt) {
  const std::string old =
      R"({"wordsway": {"schema": 1, "version": "0.0.9", "command": "measure", "config": {"map": "raf"}}})"
      "\n"
      R"({"map": "raf", "trial": 0, "sensitivity": 0.5})"
      "\n"
      R"({"map": "raf", "trial": 1, "error": "it failed"})"
      "\n";
  write(old);
  const JournalContent content = read_journal(path_);
  EXPECT_FALSE(content.verified);
  ASSERT_EQ(content.rows.size(), 2U);
  EXPECT_EQ(content.rows[1].record.text("failure"), "it failed");
  EXPECT_THAT([&] { JournalWriter journal(path_, header()); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("schema 1"), HasSubstr("report"))));
  EXPECT_EQ(text(), old);
}

TEST_F(JournalTest, SaysThatTheFileWasTakenAway) {
  JournalWriter journal(path_, header());
  journal.append({row(0)});
  std::filesystem::rename(path_, folder_.path("elsewhere"));
  EXPECT_THAT([&] { journal.sync(); }, ThrowsMessage<FileError>(HasSubstr("was removed while")));
  write("somebody else's");
  EXPECT_THAT([&] { journal.sync(); }, ThrowsMessage<FileError>(HasSubstr("was replaced while")));
}

}  // namespace
}  // namespace wordsway
