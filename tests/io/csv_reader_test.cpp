#include "wordsway/io/csv_reader.h"

#include <gmock/gmock.h>

#include "io/string_source.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Row = std::vector<std::string>;

std::vector<Row> read_rows(const std::string& bytes, char separator = ',') {
  TextLines lines(std::make_unique<test::StringSource>(bytes, 1 << 20), "in");
  CsvReader reader(lines, separator);
  std::vector<Row> rows;
  for (Row row; reader.next(row);) rows.push_back(row);
  return rows;
}

TEST(CsvReader, EmptyFieldsAreFieldsAtBothEndsAndBetween) {
  EXPECT_THAT(read_rows(",a,,\r\n"), ElementsAre(Row{"", "a", "", ""}));
  EXPECT_THAT(read_rows("\"\",\"\"\r\n"), ElementsAre(Row{"", ""}));
  EXPECT_THAT(read_rows("\"a\",\n"), ElementsAre(Row{"a", ""}));
  EXPECT_THAT(read_rows("\n,\n"), ElementsAre(Row{""}, Row{"", ""}));
  EXPECT_TRUE(read_rows("").empty());
}

TEST(CsvReader, ALastRowNeedsNoNewline) {
  EXPECT_THAT(read_rows("a,b\nc,d"), ElementsAre(Row{"a", "b"}, Row{"c", "d"}));
  EXPECT_THAT(read_rows("\"a\",\"b\""), ElementsAre(Row{"a", "b"}));
  EXPECT_THAT(read_rows("a,\"b\"\r"), ElementsAre(Row{"a", "b"}));
}

TEST(CsvReader, OnlyItsOwnSeparatorSeparates) {
  EXPECT_THAT(read_rows("a,b\tc;d\n", '\t'), ElementsAre(Row{"a,b", "c;d"}));
}

TEST(CsvReader, SeveralFieldsOfARowMayGoOverLines) {
  EXPECT_THAT(read_rows("\"a\n\nb\",x,\"\n\"\ny,\"\"\"\",z\n"),
              ElementsAre(Row{"a\n\nb", "x", "\n"}, Row{"y", "\"", "z"}));
}

TEST(CsvReader, ErrorsNameTheLineWhereTheRowBeganOrTheQuoteClosed) {
  EXPECT_THAT([] { read_rows("a\n\"b\nc\n"); }, ThrowsMessage<DataError>(HasSubstr("in:2: a quote opened")));
  EXPECT_THAT([] { read_rows("a\n\"b\nc\"d\n"); },
              ThrowsMessage<DataError>("in:3: expected a separator after the closing quote, got 'd'"));
}

TEST(CsvReader, BytesThatAreNotUtf8AreRefusedWithLineAndColumn) {
  EXPECT_THAT([] { read_rows("a\nä,b\xFF\n"); }, ThrowsMessage<DataError>("in:2:4: not UTF-8"));
  EXPECT_THAT([] { read_rows("a\n\"b\n\xC3\"\n"); }, ThrowsMessage<DataError>("in:3:1: not UTF-8"));
  EXPECT_THAT([] { read_rows("\xED\xA0\x80\n"); }, ThrowsMessage<DataError>("in:1:1: not UTF-8"));
  EXPECT_THAT(read_rows("\xEF\xBF\xBD\n"), ElementsAre(Row{"\xEF\xBF\xBD"}));
}

TEST(CsvReader, ARowOfMoreThan64MibIsAnErrorHoweverItsFieldsShareIt) {
  const std::string half(TextLines::kMaxLineBytes / 2 + 10, 'x');
  const std::string one_field = "a\n\"" + half + "\n" + half + "\"\n";
  const std::string two_fields = "a\n\"" + half + "\n\",\"\n" + half + "\"\n";
  for (const std::string& bytes : {one_field, two_fields}) {
    EXPECT_THAT([&] { read_rows(bytes); }, ThrowsMessage<DataError>("in:2: a row of more than 64 MiB"));
  }
}

}  // namespace
}  // namespace wordsway
