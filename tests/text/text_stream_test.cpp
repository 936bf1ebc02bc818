#include "wordsway/text/tokenizer/text_stream.h"

#include <gmock/gmock.h>

#include "text/golden_tokenizers.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::HasSubstr;

const Tokenizer& named_tokenizer(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Tokenizer>> loaded;
  auto& entry = loaded[name];
  if (!entry) entry = load_tokenizer(test::golden_folder() / name);
  return *entry;
}

int id(const Tokenizer& tokenizer, std::string_view piece) {
  const auto found = tokenizer.id_of(piece);
  EXPECT_TRUE(found) << piece;
  return found.value_or(0);
}

TEST(TextStream, HoldsTheBytesOfACharacterUntilItIsWhole) {
  const Tokenizer& llama3 = named_tokenizer("llama3");
  TextStream stream(llama3);
  EXPECT_EQ(stream.add(id(llama3, "a")), "a");
  EXPECT_EQ(stream.add(id(llama3, "Ã")), "") << "the first byte of é";
  EXPECT_EQ(stream.add(id(llama3, "©")), "é");
  EXPECT_EQ(stream.add(id(llama3, "Ã")), "");
  EXPECT_EQ(stream.add(id(llama3, "b")), "\uFFFDb") << "it was no character";
  EXPECT_EQ(stream.add(id(llama3, "ÿ")), "\uFFFD") << "a byte that starts none is known at once";
  EXPECT_EQ(stream.add(id(llama3, "Ã")), "");
  EXPECT_EQ(stream.finish(), "\uFFFD");
}

TEST(TextStream, HoldsARunOfFallbackBytesUntilItIsOver) {
  const Tokenizer& llama2 = named_tokenizer("llama2");
  TextStream stream(llama2);
  EXPECT_EQ(stream.add(id(llama2, "▁the")), "the") << "the first space goes";
  EXPECT_EQ(stream.add(id(llama2, "<0xC3>")), "");
  EXPECT_EQ(stream.add(id(llama2, "<0xA9>")), "") << "a wrong byte may follow, which changes all of the run";
  EXPECT_EQ(stream.add(id(llama2, "▁the")), "é the");
  EXPECT_EQ(stream.add(id(llama2, "<0xC3>")), "");
  EXPECT_EQ(stream.add(id(llama2, "<0x41>")), "");
  EXPECT_EQ(stream.finish(), "\uFFFD\uFFFD");
}

TEST(TextStream, StartsAnotherTextAfterTheEndOfOne) {
  const Tokenizer& llama2 = named_tokenizer("llama2");
  TextStream stream(llama2);
  for (int text = 0; text < 2; ++text) {
    EXPECT_EQ(stream.add(id(llama2, "▁the")), "the");
    EXPECT_EQ(stream.add(id(llama2, "▁the")), " the");
    EXPECT_EQ(stream.finish(), "");
  }
  EXPECT_EQ(stream.finish(), "");
}

TEST(TextStream, LeavesSpecialTokensOutUnlessToldOtherwise) {
  const Tokenizer& qwen2 = named_tokenizer("qwen2");
  const std::vector<int> ids = qwen2.encode("<|im_start|>a<tool_call>b<|im_end|>").ids;
  EXPECT_EQ(qwen2.decode(ids), "a<tool_call>b") << "an added token that is not special stays";
  EXPECT_EQ(qwen2.decode(ids, false), "<|im_start|>a<tool_call>b<|im_end|>");
}

TEST(TextStream, TakesIdsWithoutATokenForNothing) {
  const Tokenizer& qwen2 = named_tokenizer("qwen2");
  EXPECT_EQ(qwen2.decode(std::vector{-1, id(qwen2, "a"), qwen2.vocabulary_size(), 1 << 30}), "a");
  EXPECT_EQ(qwen2.decode({}), "");
}

TEST(TextStream, OfADecoderThatIsNotSupportedIsAnErrorThatNamesThePlaceButEncodingWorks) {
  for (const auto& [decoder, message] :
       {std::pair{R"({"type": "CTC"})", "t.json: decoder: the type \"CTC\" is not supported; expected ByteLevel"},
        {R"({"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"Regex": "a+"}, "content": ""}]})",
         "t.json: decoder.decoders[0].pattern.Regex: the regular expression \"a+\" is not supported"}}) {
    auto json = test::read_golden("qwen2/tokenizer.json");
    json["decoder"] = nlohmann::json::parse(decoder);
    const auto tokenizer = parse_tokenizer_json(json.dump(), "t.json");
    EXPECT_GT(tokenizer->encode("a text").size(), 1);
    try {
      tokenizer->decode(std::vector{1});
      ADD_FAILURE() << "was decoded";
    } catch (const DataError& error) {
      EXPECT_THAT(error.what(), HasSubstr(message));
    }
  }
}

}  // namespace
}  // namespace wordsway
