#include "wordsway/io/line_reader.h"

#include <fstream>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class LineReaderTest : public testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    std::ofstream(folder_.path("lines"), std::ios::binary) << text;
    return folder_.path("lines");
  }

  test::TemporaryFolder folder_;
};

TEST_F(LineReaderTest, GivesLinesWithTheirPlace) {
  LineReader reader(write("one\n\nthree"));
  Line line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, "one");
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, "");
  EXPECT_EQ(line.offset, 4);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, "three");
  EXPECT_EQ(line.number, 3);
  EXPECT_EQ(line.offset, 5);
  EXPECT_FALSE(line.ended);
  EXPECT_FALSE(reader.next(line));
}

TEST_F(LineReaderTest, ReadsLinesLongerThanItsBuffer) {
  const std::string text(300'000, 'x');
  LineReader reader(write(text + "\n" + text + "\n"));
  Line line;
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, text);
  ASSERT_TRUE(reader.next(line));
  EXPECT_EQ(line.text, text);
  EXPECT_EQ(line.offset, 300'001);
  EXPECT_FALSE(reader.next(line));
}

TEST_F(LineReaderTest, RefusesALineThatIsTooLong) {
  LineReader reader(write(std::string(200'000, 'x')), 100'000);
  Line line;
  EXPECT_THAT([&] { reader.next(line); }, ThrowsMessage<DataError>(HasSubstr("line 1 is longer than 100000 bytes")));
}

TEST_F(LineReaderTest, NamesAFileThatIsNotThere) {
  EXPECT_THAT([&] { LineReader reader(folder_.path("absent")); }, ThrowsMessage<FileError>(HasSubstr("absent")));
}

}  // namespace
}  // namespace wordsway
