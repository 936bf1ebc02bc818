#include "wordsway/io/text_lines.h"

#include <fstream>

#include <gmock/gmock.h>

#include "io/string_source.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/random/stream.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Lines = std::vector<std::string>;

TextLines lines_of(const std::string& bytes, std::size_t most = 1 << 20) {
  return {std::make_unique<test::StringSource>(bytes, most), "in"};
}

Lines read_all(const std::string& bytes, std::size_t most) {
  TextLines source = lines_of(bytes, most);
  Lines lines;
  for (std::string line; source.next(line);) lines.push_back(line);
  EXPECT_EQ(source.number(), static_cast<long long>(lines.size()));
  return lines;
}

/// A line ends at each newline; what follows the last one is a line when there is something.
Lines split_reference(const std::string& bytes) {
  Lines lines;
  std::string line;
  for (const char c : bytes) {
    if (c != '\n') {
      line += c;
      continue;
    }
    lines.push_back(std::move(line));
    line.clear();
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

TEST(TextLines, AreTheSameHoweverTheBytesArrive) {
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Stream stream = Stream(5).derive(trial);
    std::string bytes;
    for (std::uint64_t i = 0; i < trial; ++i) bytes += "ab\r\n\n"[stream.bits(i)[0] % 5];
    for (const std::size_t most : {1, 2, 7, 1000}) EXPECT_EQ(read_all(bytes, most), split_reference(bytes)) << most;
  }
}

TEST(TextLines, AByteOrderMarkThatArrivesInPiecesIsDroppedAndALaterOneStays) {
  const std::string mark = "\xEF\xBB\xBF";
  for (const std::size_t most : {1, 2, 100}) {
    EXPECT_THAT(read_all(mark + "a\n" + mark + "b", most), ElementsAre("a", mark + "b"));
  }
}

TEST(TextLines, ALinePutBackIsReadAgainUnderItsNumber) {
  TextLines source = lines_of("one\ntwo\n");
  std::string line;
  ASSERT_TRUE(source.next(line));
  source.put_back(line);
  ASSERT_TRUE(source.next(line));
  EXPECT_EQ(line, "one");
  EXPECT_EQ(source.where(), "in:1");
  ASSERT_TRUE(source.next(line));
  EXPECT_EQ(line, "two");
  EXPECT_EQ(source.where(), "in:2");
  EXPECT_FALSE(source.next(line));
}

TEST(TextLines, AZeroByteIsNamedByItsPlaceInTheWholeText) {
  const std::string bytes = "ab\ncd" + std::string(1, '\0') + "\n";
  for (const std::size_t most : {1, 3, 100}) {
    EXPECT_THAT([&] { read_all(bytes, most); }, ThrowsMessage<DataError>(HasSubstr("in: has a zero byte at byte 5")));
  }
}

TEST(TextLines, OnlyTheFirstBytesCanBeTheMarkOfUtf16) {
  EXPECT_THROW(check_is_text("\xFF\xFE", 0, "in"), DataError);
  EXPECT_THROW(check_is_text("\xFE\xFF", 0, "in"), DataError);
  EXPECT_NO_THROW(check_is_text("\xFF\xFE", 1, "in"));
  EXPECT_NO_THROW(check_is_text("", 0, "in"));
}

TEST(TextLines, EndsOfLinesAreTrimmedAsFarAsAskedFor) {
  EXPECT_EQ(without_carriage_return("a\r\r"), "a\r");
  EXPECT_EQ(without_carriage_return("a "), "a ");
  EXPECT_EQ(without_carriage_return(""), "");
  EXPECT_EQ(without_trailing_space(" a \t\r\n\v\f"), " a");
  EXPECT_EQ(without_trailing_space(" \t"), "");
  EXPECT_EQ(without_trailing_space("a\u00A0"), "a\u00A0");
}

class ForEachLine : public testing::Test {
 protected:
  Lines read(const std::string& bytes) {
    std::ofstream(file_, std::ios::binary) << bytes;
    Lines seen;
    for_each_line(file_, [&](std::string_view line, const std::string& where) {
      EXPECT_EQ(where, file_.string() + ":" + std::to_string(seen.size() + 1));
      seen.emplace_back(line);
    });
    return seen;
  }

  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path("lines.txt");
};

TEST_F(ForEachLine, GivesTheLinesOfAFileWithTheirPlaces) {
  for (const char* bytes : {"", "\n", "a", "a\n", "a\n\nb", "\n\na\r\n", "é\n"}) {
    EXPECT_EQ(read(bytes), split_reference(bytes));
  }
}

TEST_F(ForEachLine, NamesTheLineThatIsNotUtf8AfterGivingThoseBefore) {
  std::ofstream(file_, std::ios::binary) << "one\ntwo\n\xC3\nfour";
  Lines seen;
  const auto read_file = [&] {
    for_each_line(file_, [&](std::string_view line, const std::string&) { seen.emplace_back(line); });
  };
  EXPECT_THAT(read_file, ThrowsMessage<DataError>(file_.string() + ":3:1: not UTF-8"));
  EXPECT_THAT(seen, ElementsAre("one", "two"));
  EXPECT_THROW(for_each_line(folder_.path("nothing"), [](std::string_view, const std::string&) {}), FileError);
}

}  // namespace
}  // namespace wordsway
