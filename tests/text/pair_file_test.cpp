#include "wordsway/text/pairs/pair_file.h"

#include <gmock/gmock.h>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class PairFile : public testing::Test {
 protected:
  std::vector<TextPair> read(const std::string& name, const std::string& content) {
    test::write_bytes(folder_.path(name), content);
    return read_pairs(folder_.path(name).string());
  }
  std::string refusal(const std::string& name, const std::string& content) {
    try {
      read(name, content);
    } catch (const DataError& error) {
      return error.what();
    }
    return "";
  }

  test::TemporaryFolder folder_;
};

TEST_F(PairFile, IsReadAsJsonLinesOrSeparatedValues) {
  const auto check = [](const std::vector<TextPair>& pairs) {
    ASSERT_EQ(pairs.size(), 2U);
    EXPECT_EQ(pairs[0].anchor, "Turn it on, please.");
    EXPECT_EQ(pairs[0].changed, "Turn it off, please.");
    EXPECT_EQ(pairs[0].control, "Switch it on.");
    EXPECT_EQ(pairs[0].class_name, "state");
    EXPECT_EQ(pairs[1].anchor, "5 mg");
    EXPECT_EQ(pairs[1].control, std::nullopt);
    EXPECT_EQ(pairs[1].class_name, kUnnamedClass);
  };
  check(read("a.jsonl",
             "{\"anchor\": \"Turn it on, please.\", \"changed\": \"Turn it off, please.\", \"control\": \"Switch it "
             "on.\", \"class\": \"state\"}\n\n{\"anchor\": \"5 mg\", \"changed\": \"5 g\", \"control\": null}\n"));
  check(read("a.csv",
             "class,anchor,changed,control\nstate,\"Turn it on, please.\",\"Turn it off, please.\",Switch it on.\n"
             ",5 mg,5 g,\n"));
  check(read("a.tsv",
             "anchor\tchanged\tcontrol\tclass\nTurn it on, please.\tTurn it off, please.\tSwitch it "
             "on.\tstate\n5 mg\t5 g\t\t\n"));
}

TEST_F(PairFile, KnowsTheLineOfEveryPair) {
  const auto pairs = read("a.csv", "anchor,changed\na,b\n\"two\nlines\",d\ne,f\n");
  ASSERT_EQ(pairs.size(), 3U);
  EXPECT_EQ(pairs[0].line, 2);
  EXPECT_EQ(pairs[1].line, 3);
  EXPECT_EQ(pairs[2].line, 5);
}

TEST_F(PairFile, ThatIsWrongIsRefusedWithItsLineAndWhatIsKnown) {
  EXPECT_THAT(refusal("a.jsonl", "{\"anchor\": \"a\", \"changd\": \"b\"}\n"),
              AllOf(HasSubstr("a.jsonl:1"), HasSubstr("'changd'"), HasSubstr("anchor, changed, control, class"),
                    HasSubstr("did you mean 'changed'")));
  EXPECT_THAT(refusal("a.csv", "anchor,changed,label\n"), HasSubstr("unknown column 'label'"));
  EXPECT_THAT(refusal("a.csv", "anchor,changed,anchor\n"), HasSubstr("comes twice"));
  EXPECT_THAT(refusal("a.csv", "anchor,changed\na\n"), HasSubstr("has 1 fields"));
  EXPECT_THAT(refusal("a.csv", "anchor,control\na,b\n"), AllOf(HasSubstr("a.csv:2"), HasSubstr("no 'changed'")));
  EXPECT_THAT(refusal("a.jsonl", "{\"anchor\": 5, \"changed\": \"b\"}\n"), HasSubstr("expected a string"));
  EXPECT_THAT(refusal("a.jsonl", "[1]\n"), HasSubstr("expected an object"));
  EXPECT_THAT(refusal("a.csv", "anchor,changed,class\na,b,all\n"), HasSubstr("cannot be called 'all'"));
  EXPECT_THAT(refusal("a.csv", "anchor,changed\n"), HasSubstr("there is no pair"));
  EXPECT_THAT(refusal("a.csv", ""), HasSubstr("there is no pair"));
  EXPECT_THAT(refusal("a.txt", "a\n"), HasSubstr(".jsonl, .csv and .tsv"));
  EXPECT_THAT(refusal("a.jsonl", "{\"anchor\": \"a\", \"anchor\": \"b\", \"changed\": \"c\"}\n"),
              HasSubstr("a.jsonl:1:17: the key \"anchor\" comes twice"));
  EXPECT_THAT(refusal("a.jsonl", "{\"anchor\": \"\xFF\", \"changed\": \"c\"}\n"), HasSubstr("a.jsonl:1:13: not UTF-8"));
  EXPECT_THAT(refusal("a.csv", "anchor,changed\na,\xE4\n"), HasSubstr("a.csv:2:3: not UTF-8"));
  EXPECT_THAT(refusal("a.tsv", "anchor\tchanged\na\t\"b\n\xE4\"\n"), HasSubstr("a.tsv:3:1: not UTF-8"));
  EXPECT_THROW(read_pairs(folder_.path("none.csv").string()), FileError);
}

}  // namespace
}  // namespace wordsway
