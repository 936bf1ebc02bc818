#include "wordsway/text/corpus/corpus.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"
#include "text/packed_bytes.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Corpus : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories(folder_.path(name).parent_path());
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
    return folder_.path(name).string();
  }

  std::vector<LabelledText> read(const std::string& name, const std::string& bytes, const CorpusOptions& options = {}) {
    return read_corpus(write(name, bytes), options);
  }

  static std::vector<LabelledText> read_input(const std::string& bytes, CorpusOptions options = {}) {
    std::istringstream input(bytes);
    options.standard_input = &input;
    return read_corpus("-", options);
  }

  template <typename Error>
  void expect_error(const std::string& name, const std::string& bytes, const std::string& message,
                    const CorpusOptions& options = {}) {
    try {
      read(name, bytes, options);
      ADD_FAILURE() << name << " was read; expected: " << message;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_THAT(error.what(), HasSubstr(name));
    }
  }

  test::TemporaryFolder folder_;
};

LabelledText text(const std::string& value, std::optional<int> label, const std::string& id) {
  return {value, label, id};
}

TEST_F(Corpus, PlainTextIsALineATextAndEmptyLinesAreEmptyTexts) {
  EXPECT_THAT(read("a.txt", "\xEF\xBB\xBFone\r\n\ntwo"),
              ElementsAre(text("one", {}, "1"), text("", {}, "2"), text("two", {}, "3")));
  EXPECT_TRUE(read("b.txt", "").empty());
}

TEST_F(Corpus, CsvFieldsMayHoldSeparatorsQuotesAndLines) {
  EXPECT_THAT(read("a.csv", "id,text,y\r\n7,\"a \"\"b\"\", c\nd\",-1\r\n8,plain,1\r\n\r\n9,\"\",\n"),
              ElementsAre(text("a \"b\", c\nd", -1, "2"), text("plain", 1, "4"), text("", {}, "6")));
}

TEST_F(Corpus, ColumnsAreFoundByNameOrIndex) {
  const std::string rows = "review\tsentiment\textra\ngood\tpositive\t0\nbad\tneg\t0\n";
  const auto expected = ElementsAre(text("good", 1, "2"), text("bad", -1, "3"));
  EXPECT_THAT(read("a.tsv", rows, {.column = "review", .label_column = "sentiment"}), expected);
  EXPECT_THAT(read("a.tsv", rows, {.column = "0", .label_column = "1"}), expected);
  EXPECT_THAT(read("one.csv", "anything\nx\n\n"), ElementsAre(text("x", {}, "2"), text("", {}, "3")));
}

TEST_F(Corpus, JsonLinesGiveTextLabelAndId) {
  EXPECT_THAT(read("a.jsonl", "{\"text\": \"caf\\u00e9\", \"y\": 1, \"id\": \"t/0\"}\n\n{\"text\": \"\", \"id\": 5}\n"),
              ElementsAre(text("café", 1, "t/0"), text("", {}, "5")));
}

TEST_F(Corpus, GzipAndXzAreUnpackedWhateverTheirNames) {
  const auto expected = ElementsAre(text("one", {}, "1"), text("two", {}, "2"));
  EXPECT_THAT(read("a.txt.gz", test::kGzipOneTwo), expected);
  EXPECT_THAT(read("a.txt.xz", test::kXzOneTwo), expected);
  EXPECT_THAT(read("packed", test::kXzOneTwo), expected);
  EXPECT_THAT(read_input(test::kGzipOneTwo), expected);
}

TEST_F(Corpus, PackedStreamsOneAfterTheOtherAreOneText) {
  EXPECT_EQ(read("a.gz", test::kGzipOneTwo + test::kGzipOneTwo).size(), 4u);
  EXPECT_EQ(read("a.xz", test::kXzOneTwo + test::kXzOneTwo).size(), 4u);
}

TEST_F(Corpus, StandardInputIsJsonLinesWhenItLooksSoElseText) {
  EXPECT_THAT(read_input("{\"text\": \"a\", \"y\": -1}\n"), ElementsAre(text("a", -1, "1")));
  EXPECT_THAT(read_input("{curly} text\n"), ElementsAre(text("{curly} text", {}, "1")));
  EXPECT_THAT(read_input("text\na\n", {.format = CorpusFormat::kCsv}), ElementsAre(text("a", {}, "2")));
}

TEST_F(Corpus, AclImdbIsReadByNumberWithLabels) {
  write("aclImdb/train/pos/10_8.txt", "ten");
  write("aclImdb/train/pos/9_7.txt", "nine");
  write("aclImdb/train/neg/0_1.txt", "zero");
  write("aclImdb/train/unsup/0_0.txt", "never read");
  write("aclImdb/test/pos/1_9.txt", "one\nline");
  write("aclImdb/test/neg/1_2.txt", "");
  write("aclImdb/README", "never read");
  EXPECT_THAT(
      read_corpus(folder_.path("aclImdb").string()),
      ElementsAre(text("nine", 1, "train/pos/9_7"), text("ten", 1, "train/pos/10_8"), text("zero", -1, "train/neg/0_1"),
                  text("one\nline", 1, "test/pos/1_9"), text("", -1, "test/neg/1_2")));
  EXPECT_EQ(read_corpus(folder_.path("aclImdb/test").string()).size(), 2u);
}

TEST_F(Corpus, ALimitReadsNoFurther) {
  EXPECT_EQ(read_corpus(write("a.jsonl", "{\"text\": \"a\"}\nbroken"), {}, 1).size(), 1u);
  EXPECT_TRUE(read_corpus(write("b.jsonl", "broken"), {}, 0).empty());
}

TEST_F(Corpus, WrongContentIsNamedWithFileAndLine) {
  const std::string fine = "{\"text\": \"a\"}\n";
  expect_error<DataError>("a.jsonl", fine + "{\"text\": ", "a.jsonl:2: not valid JSON");
  expect_error<DataError>("a.jsonl", fine + "[1]", "a.jsonl:2: expected an object, got array");
  expect_error<DataError>("a.jsonl", fine + "{\"y\": 1}", "a.jsonl:2: text: missing; expected a string");
  expect_error<DataError>("a.jsonl", "{\"text\": 3}", "a.jsonl:1: text: expected a string, got a number");
  expect_error<DataError>("a.jsonl", "{\"text\": \"a\", \"y\": 0.5}", "y: expected an integer");
  expect_error<DataError>("a.jsonl", "{\"text\": \"a\", \"y\": 1e12}", "y: expected a 32-bit integer");
  expect_error<DataError>("a.jsonl", "{\"text\": \"\xff\"}", "a.jsonl:1:11: not UTF-8");
  expect_error<DataError>("a.csv", "text,y\na,1\n\"b,1\n", "a.csv:3: a quote opened in this row is never closed");
  expect_error<DataError>("a.csv", "text,y\n\"b\"x,1\n", "a.csv:2: expected a separator after the closing quote");
  expect_error<DataError>("a.csv", "text,y\na,1,2\n", "a.csv:2: has 3 fields; expected 2");
  expect_error<DataError>("a.csv", "text,y\na,good\n", "a.csv:2: expected an integer, pos or neg");
  expect_error<DataError>("a.csv", "", "expected a header row");
  expect_error<UsageError>("a.csv", "a,b\n1,2\n", "which column is the text? Name one of: a, b");
  expect_error<UsageError>("a.csv", "a,b\n1,2\n", "no column 'c'; there are: a, b", {.column = "c"});
  expect_error<UsageError>("a.csv", "a,b\n1,2\n", "no column '2'", {.column = "2"});
}

TEST_F(Corpus, CorruptOrShortPackedDataIsAnError) {
  for (const std::size_t size : {3u, 12u, 20u}) {
    expect_error<DataError>("a.gz", test::kGzipOneTwo.substr(0, size), "ends too early");
    expect_error<DataError>("a.xz", test::kXzOneTwo.substr(0, size + 10), "ends too early");
  }
  std::string corrupt = test::kGzipOneTwo;
  corrupt[corrupt.size() - 6] ^= 1;  // in the checksum
  expect_error<DataError>("a.gz", corrupt, "corrupt gzip data");
  corrupt = test::kXzOneTwo;
  corrupt[30] ^= 1;
  expect_error<DataError>("a.xz", corrupt, "corrupt xz data");
  expect_error<DataError>("a.gz", test::kGzipOneTwo + "junk", "corrupt gzip data");
}

TEST_F(Corpus, AFileThatUnpacksToTooMuchIsAnError) {
  expect_error<DataError>("bomb.gz", test::kGzipNewlines, "unpacks to more than 99999 bytes",
                          {.max_unpacked_bytes = 99999});
  EXPECT_EQ(read("fine.gz", test::kGzipNewlines, {.max_unpacked_bytes = 100000}).size(), 100000u);
}

TEST_F(Corpus, MoreTextsThanAreReadAreAnError) {
  expect_error<DataError>("bomb.gz", test::kGzipNewlines,
                          "bomb.gz: has more than 99999 texts, which is the most that are read", {.max_texts = 99999});
  EXPECT_EQ(read("fine.gz", test::kGzipNewlines, {.max_texts = 100000}).size(), 100000u);
  EXPECT_EQ(read_corpus(write("more.txt", "a\nb\nc\n"), {.max_texts = 2}, 2).size(), 2u);
  EXPECT_EQ(CorpusOptions().max_texts, kMaxTexts);
}

TEST_F(Corpus, Utf16IsNamedAsWhatItIs) {
  const std::string little("\xFF\xFEh\0i\0\n\0", 8), big("\xFE\xFF\0h\0i\0\n", 8);
  for (const char* name : {"a.txt", "a.csv", "a.tsv", "a.jsonl"}) {
    for (const std::string& bytes : {little, big}) {
      expect_error<DataError>(name, bytes, "begins with the byte order mark of UTF-16; expected text in UTF-8");
    }
  }
}

TEST_F(Corpus, BinaryFilesAreNoText) {
  using namespace std::string_literals;
  const std::string picture = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"s, late = "a line\n" + std::string(300'000, 'x') + "\0"s;
  for (const char* name : {"a.txt", "a.csv", "a.tsv", "a.jsonl"}) {
    expect_error<DataError>(name, picture, "has a zero byte at byte 8, so it is a binary file");
  }
  expect_error<DataError>("late.txt", late, "has a zero byte at byte 300007");
  // A limit that is reached before does not make it text.
  EXPECT_THROW(read_corpus(write("first.txt", "some text\n\0"s), {}, 1), DataError);
}

TEST_F(Corpus, StandardInputMustBeTextToo) {
  using namespace std::string_literals;
  for (const std::string& bytes : {"\xFF\xFEh\0"s, "\xFE\xFF\0h"s, "text\0"s}) {
    try {
      read_input(bytes);
      ADD_FAILURE() << "was read";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), HasSubstr("standard input: "));
      EXPECT_THAT(error.what(), HasSubstr("expected text in UTF-8"));
    }
  }
}

TEST_F(Corpus, AZeroCharacterWrittenAsJsonDoesIsFine) {
  EXPECT_EQ(read("a.jsonl", "{\"text\": \"a\\u0000b\"}\n").front().text, std::string("a\0b", 3));
}

TEST_F(Corpus, AReviewThatIsNoTextIsNamed) {
  write("aclImdb/train/pos/1_8.txt", "fine");
  const std::string binary = write("aclImdb/train/neg/1_1.txt", std::string("a\0b", 3));
  try {
    read_corpus(folder_.path("aclImdb").string());
    ADD_FAILURE() << "was read";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(), HasSubstr(binary + ": has a zero byte at byte 1"));
  }
}

TEST_F(Corpus, ALineOfMoreThan64MibIsAnError) {
  expect_error<DataError>("long.txt", std::string((64u << 20) + 1, 'x'), "long.txt:1: a line of more than 64 MiB");
}

TEST_F(Corpus, MissingFilesAndOtherFoldersAreErrors) {
  EXPECT_THROW(read_corpus(folder_.path("nothing.txt").string()), FileError);
  EXPECT_THROW(read_corpus(folder_.folder().string()), DataError);
  EXPECT_THROW(read_corpus(std::string(300, 'x')), FileError);
}

}  // namespace
}  // namespace wordsway
