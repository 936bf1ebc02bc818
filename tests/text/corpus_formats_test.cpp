// Corpora as other programs write them: what is written comes back, whatever is in it.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/temporary_folder.h"
#include "text/packed_bytes.h"
#include "text/random_text.h"
#include "wordsway/core/error.h"
#include "wordsway/text/corpus/corpus.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Row = std::vector<std::string>;

std::vector<LabelledText> read(const std::string& name, const std::string& bytes, const CorpusOptions& options = {}) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path(name), std::ios::binary) << bytes;
  return read_corpus(folder.path(name).string(), options);
}

std::vector<std::string> texts_of(const std::vector<LabelledText>& corpus) {
  std::vector<std::string> texts;
  for (const LabelledText& text : corpus) texts.push_back(text.text);
  return texts;
}

std::vector<std::optional<int>> labels_of(const std::vector<LabelledText>& corpus) {
  std::vector<std::optional<int>> labels;
  for (const LabelledText& text : corpus) labels.push_back(text.label);
  return labels;
}

/// RFC 4180: quotes where they are needed, and now and then where they are not.
std::string quoted(const std::string& field, bool always) {
  if (!always && field.find_first_of("\",\t\r\n") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string random_field(const Stream& stream) {
  return test::to_bytes(test::random_codes(stream, test::below(stream, 99, 12), U"ab,\t\"\" \n\ré;\u6771"));
}

TEST(CorpusFormats, SeparatedValuesComeBackWhateverIsInThem) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Stream stream = Stream(111).derive(trial);
    const char separator = trial % 2 == 0 ? ',' : '\t';
    const std::string newline = trial % 4 < 2 ? "\n" : "\r\n";
    std::string bytes = (trial % 3 == 0 ? "\xEF\xBB\xBF" : "") + std::string("id") + separator + "text" + newline;
    Row expected;
    for (std::uint64_t row = 0; row < 8; ++row) {
      expected.push_back(random_field(stream.derive(row)));
      const bool always = test::below(stream, row, 2) == 0;
      bytes += std::to_string(row) + separator + quoted(expected.back(), always) + newline;
    }
    EXPECT_EQ(texts_of(read(separator == ',' ? "a.csv" : "a.tsv", bytes)), expected) << bytes;
  }
}

TEST(CorpusFormats, JsonLinesComeBackWhateverIsInThem) {
  for (std::uint64_t trial = 0; trial < 50; ++trial) {
    std::string bytes;
    std::vector<LabelledText> expected;
    for (std::uint64_t row = 0; row < 8; ++row) {
      const Stream stream = Stream(112).derive(trial).derive(row);
      LabelledText text{random_field(stream), {}, random_field(stream.derive("id"))};
      nlohmann::json json{{"text", text.text}, {"id", text.id}, {"other", {1, 2}}};
      if (row % 3 != 0) json["y"] = *(text.label = static_cast<int>(row) - 4);
      bytes += json.dump(-1, ' ', row % 2 == 0) + (row % 2 == 0 ? "\n" : "\r\n\n");
      expected.push_back(text);
    }
    EXPECT_EQ(read("a.ndjson", bytes), expected) << bytes;
  }
}

TEST(CorpusFormats, IdsAreTheNumbersOfTheLinesWhereARowBegins) {
  const auto rows = read("a.csv", "\"text\",\"y\"\n\"one\r\nmore\",1\n\ntwo,\n");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].id, "2");
  EXPECT_EQ(rows[0].text, "one\r\nmore") << "a line inside a field keeps its ending";
  EXPECT_EQ(rows[1].id, "5");
}

TEST(CorpusFormats, LabelsAreIntegersOrWordsForTheTwoClasses) {
  const auto rows = read("a.csv", "label,text\n+1,a\n-1,b\npos,c\nnegative,d\n,e\n12,f\n");
  EXPECT_THAT(labels_of(rows), ElementsAre(1, -1, 1, -1, std::nullopt, 12));
  for (const char* wrong : {"1.0", "++1", "+-1", "+", "99999999999", " 1", "POS"}) {
    EXPECT_THROW(read("a.csv", std::string("label,text\n") + wrong + ",a\n"), DataError) << wrong;
  }
}

TEST(CorpusFormats, AWrongLabelIsQuotedAsItIsWritten) {
  EXPECT_THAT([] { read("a.csv", "label,text\n+1.0,a\n"); },
              testing::ThrowsMessage<DataError>(
                  HasSubstr("a.csv:2: expected an integer, pos or neg as the label, got '+1.0'")));
}

TEST(CorpusFormats, TheColumnYWinsOverLabelAndANameOverAnIndex) {
  EXPECT_THAT(labels_of(read("a.csv", "label,y,text\n1,2,a\n")), ElementsAre(2));
  EXPECT_THAT(texts_of(read("a.csv", "1,0\na,b\n", {.column = "0"})), ElementsAre("b")) << "named 0, at index 1";
  EXPECT_THAT(labels_of(read("a.csv", "text,stars\na,4\n")), ElementsAre(std::nullopt));
  EXPECT_THAT(labels_of(read("a.csv", "text,stars\na,4\n", {.label_column = "stars"})), ElementsAre(4));
}

std::string refusal(const std::string& name, const std::string& bytes) {
  try {
    read(name, bytes);
  } catch (const DataError& error) {
    return error.what();
  }
  return "";
}

TEST(CorpusFormats, KeysAndColumnsThatComeTwiceAreRefused) {
  EXPECT_THAT(refusal("a.jsonl", "{\"text\": \"a\"}\n{\"text\": \"ä\", \"text\": \"b\"}\n"),
              HasSubstr("a.jsonl:2:15: the key \"text\" comes twice"));
  EXPECT_THAT(refusal("a.jsonl", "{\"text\": \"a\", \"x\": {\"k\": 1, \"k\": 1}}\n"),
              HasSubstr("a.jsonl:1:29: the key"));
  EXPECT_THAT(refusal("a.csv", "text,text\na,b\n"), HasSubstr("a.csv:1: the column 'text' comes twice"));
  EXPECT_THAT(refusal("a.tsv", "text\ty\ty\na\t1\t1\n"), HasSubstr("a.tsv:1: the column 'y' comes twice"));
  EXPECT_THAT(texts_of(read("a.csv", "x,text,x\n1,a,2\n")), ElementsAre("a")) << "neither of them is asked for";
}

TEST(CorpusFormats, DataThatAreNotUtf8AreRefusedWithLineAndColumn) {
  EXPECT_THAT(refusal("a.jsonl", "\n{\"text\": \"ä\xFF\"}\n"), HasSubstr("a.jsonl:2:12: not UTF-8"));
  EXPECT_THAT(refusal("a.csv", "text\na\n\"b\nc\xE4\"\n"), HasSubstr("a.csv:4:2: not UTF-8"));
  EXPECT_THAT(refusal("a.tsv", "text\ty\nb\xE4\t1\n"), HasSubstr("a.tsv:2:2: not UTF-8"));
}

TEST(CorpusFormats, StandardInputWithAFaultInItsFirstLineIsStillJson) {
  for (const char* line : {"{\"text\": \"a\", \"text\": \"b\"}", "{\"text\": \"\xFF\"}"}) {
    std::istringstream stream(line);
    EXPECT_THROW(read_corpus("-", {.standard_input = &stream}), DataError) << line;
  }
}

TEST(CorpusFormats, AQuoteInsideAnUnquotedFieldIsPlainText) {
  EXPECT_THAT(texts_of(read("a.csv", "text,y\n5\" disc,1\n")), ElementsAre("5\" disc"));
}

TEST(CorpusFormats, AByteOrderMarkIsDroppedAtTheStartOnly) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_THAT(texts_of(read("a.jsonl", mark + "{\"text\": \"a\"}\n")), ElementsAre("a"));
  EXPECT_THAT(texts_of(read("a.csv", mark + "text\n" + mark + "a\n")), ElementsAre(mark + "a"));
  EXPECT_THAT(texts_of(read("a.csv", mark + "\"text\",y\n\"a\",1\n")), ElementsAre("a"));
}

TEST(CorpusFormats, APackedFileIsReadByTheNameBeforeItsPacking) {
  EXPECT_THAT(texts_of(read("a.csv.gz", test::kGzipOneTwo)), ElementsAre("two")) << "'one' is the header";
  EXPECT_THAT(texts_of(read("a.tsv.xz", test::kXzOneTwo)), ElementsAre("two"));
  EXPECT_THROW(read("a.jsonl.gz", test::kGzipOneTwo), DataError);
  EXPECT_THAT(texts_of(read("a.csv", "one\ntwo\n", {.format = CorpusFormat::kText})), ElementsAre("one", "two"));
}

TEST(CorpusFormats, AVisitorThatHasEnoughIsNotCalledAgain) {
  const test::TemporaryFolder folder;
  const std::pair<const char*, const char*> files[] = {
      {"a.txt", "a\nb\nc\n"}, {"a.csv", "text\na\nb\nc\n"}, {"a.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\nbroken"}};
  for (const auto& [name, bytes] : files) {
    std::ofstream(folder.path(name)) << bytes;
    int calls = 0;
    for_each_text(folder.path(name).string(), {}, [&](LabelledText&&) { return ++calls < 2; });
    EXPECT_EQ(calls, 2) << name;
  }
}

class AclImdb : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& bytes) {
    std::filesystem::create_directories(folder_.path(name).parent_path());
    std::ofstream(folder_.path(name)) << bytes;
  }
  std::vector<std::string> read(std::optional<std::size_t> limit = {}) {
    return texts_of(read_corpus(folder_.folder().string(), {}, limit));
  }
  test::TemporaryFolder folder_;
};

TEST_F(AclImdb, OneSplitIsEnoughAndOtherFilesAreNoReviews) {
  write("test/pos/2_9.txt", "second");
  write("test/pos/1_9.txt", "first");
  write("test/pos/1_9.html", "never read");
  write("test/neg/README", "never read");
  EXPECT_THAT(read(), ElementsAre("first", "second"));
  std::filesystem::create_directories(folder_.path("train/pos"));
  EXPECT_THAT(read(), ElementsAre("first", "second")) << "train without neg is no split";
}

TEST_F(AclImdb, ALimitIsKeptAcrossClassesAndSplits) {
  for (const char* name : {"train/pos/1_9.txt", "train/neg/2_1.txt", "test/pos/3_9.txt", "test/neg/4_1.txt"})
    write(name, name);
  EXPECT_THAT(read(3), ElementsAre("train/pos/1_9.txt", "train/neg/2_1.txt", "test/pos/3_9.txt"));
  EXPECT_THAT(read(1), ElementsAre("train/pos/1_9.txt"));
}

TEST_F(AclImdb, FilesWithTheSameNumberComeByName) {
  for (const char* name : {"pos/7_9.txt", "pos/7_10.txt", "pos/x.txt", "neg/1_1.txt"}) write(name, name);
  EXPECT_THAT(read(), ElementsAre("pos/x.txt", "pos/7_10.txt", "pos/7_9.txt", "neg/1_1.txt"));
}

}  // namespace
}  // namespace wordsway
