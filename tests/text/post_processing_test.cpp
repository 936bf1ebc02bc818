#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/text/tokenizer/tokenizer_json.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

PostProcessing read_steps(const std::string& json) {
  Vocabulary vocabulary;
  for (const char* token : {"[CLS]", "[SEP]", "[TASK]", "a"}) vocabulary.add(token, vocabulary.size(), "test");
  vocabulary.add("far", 9, "test");
  return read_post_processing(JsonView::parse(R"({"p": )" + json + "}", "t.json")["p"], vocabulary);
}

const std::string kText = R"({"Sequence": {"id": "A", "type_id": 0}})";

std::string special(const std::string& name) {
  return R"({"SpecialToken": {"id": ")" + name + R"(", "type_id": 0}})";
}

std::string make_template(const std::string& single) {
  return R"({"type": "TemplateProcessing", "single": [)" + single + R"(], "special_tokens": {
    "c": {"id": "c", "ids": [0], "tokens": ["[CLS]"]},
    "s": {"id": "s", "ids": [1], "tokens": ["[SEP]"]},
    "both": {"id": "both", "ids": [2, 1], "tokens": ["[TASK]", "[SEP]"]},
    "hole": {"id": "hole", "ids": [5], "tokens": ["?"]}}})";
}

TEST(PostProcessing, NoneAddsNothingAndTrimsNothing) {
  const PostProcessing post = read_steps("null");
  EXPECT_THAT(post.before, IsEmpty());
  EXPECT_THAT(post.after, IsEmpty());
  EXPECT_FALSE(post.trim_offsets);
}

TEST(PostProcessing, ATemplateMayHaveAnyTokensOnEitherSideOfTheText) {
  const PostProcessing both =
      read_steps(make_template(special("c") + "," + special("both") + "," + kText + "," + special("s")));
  EXPECT_THAT(both.before, ElementsAre(0, 2, 1));
  EXPECT_THAT(both.after, ElementsAre(1));
  const PostProcessing after = read_steps(make_template(kText + "," + special("s") + "," + special("c")));
  EXPECT_THAT(after.before, IsEmpty());
  EXPECT_THAT(after.after, ElementsAre(1, 0));
  EXPECT_FALSE(after.trim_offsets);
}

TEST(PostProcessing, ATemplateWithTheTextTwiceOrNotAtAllIsRefused) {
  EXPECT_THAT([] { read_steps(make_template(kText + "," + special("s") + "," + kText)); },
              ThrowsMessage<DataError>(HasSubstr("p.single[2]: the text stands twice")));
  EXPECT_THAT([] { read_steps(make_template(special("s"))); },
              ThrowsMessage<DataError>(HasSubstr("p.single: the text is not in the template")));
}

TEST(PostProcessing, TokensThatDoNotExistAreNamed) {
  EXPECT_THAT([] { read_steps(make_template(special("hole") + "," + kText)); },
              ThrowsMessage<DataError>(HasSubstr("special_tokens.hole.ids[0]: no token has the id 5")));
  EXPECT_THAT([] { read_steps(make_template(special("nobody") + "," + kText)); },
              ThrowsMessage<DataError>(HasSubstr("special_tokens.nobody: missing")));
  for (const char* id : {"-1", "10", "4294967296"}) {
    const std::string json = std::string(R"({"type": "BertProcessing", "cls": ["x", )") + id + R"(], "sep": ["y", 1]})";
    EXPECT_THAT([&] { read_steps(json); },
                ThrowsMessage<DataError>(HasSubstr(std::string("no token has the id ") + id)));
  }
}

TEST(PostProcessing, BertAndRobertaPutOneTokenOnEachSide) {
  const PostProcessing bert = read_steps(R"({"type": "BertProcessing", "cls": ["[CLS]", 0], "sep": ["far", 9]})");
  EXPECT_THAT(bert.before, ElementsAre(0));
  EXPECT_THAT(bert.after, ElementsAre(9));
  EXPECT_FALSE(bert.trim_offsets);
  const PostProcessing roberta =
      read_steps(R"({"type": "RobertaProcessing", "cls": ["[CLS]", 0], "sep": ["[SEP]", 1]})");
  EXPECT_THAT(roberta.before, ElementsAre(0));
  EXPECT_TRUE(roberta.trim_offsets);
  EXPECT_TRUE(roberta.keep_prefix_space);
}

TEST(PostProcessing, ByteLevelSaysHowOffsetsAreTrimmed) {
  const PostProcessing post = read_steps(R"({"type": "ByteLevel", "trim_offsets": false, "add_prefix_space": false})");
  EXPECT_FALSE(post.trim_offsets);
  EXPECT_FALSE(post.keep_prefix_space);
  EXPECT_TRUE(read_steps(R"({"type": "ByteLevel"})").trim_offsets);
}

TEST(PostProcessing, ASequenceDoesWhatItsMembersDo) {
  const std::string byte_level = R"({"type": "ByteLevel", "add_prefix_space": false})";
  const std::string tokens = make_template(special("c") + "," + kText + "," + special("s"));
  for (const std::string& members : {byte_level + "," + tokens, tokens + "," + byte_level}) {
    const PostProcessing post = read_steps(R"({"type": "Sequence", "processors": [)" + members + "]}");
    EXPECT_THAT(post.before, ElementsAre(0));
    EXPECT_THAT(post.after, ElementsAre(1));
    EXPECT_TRUE(post.trim_offsets);
    EXPECT_FALSE(post.keep_prefix_space);
  }
  EXPECT_THAT([] { read_steps(R"({"type": "Sequence", "processors": [{"type": "Magic"}]})"); },
              ThrowsMessage<DataError>(HasSubstr("p.processors[0]: the type 'Magic' is not supported")));
}

}  // namespace
}  // namespace wordsway
