#include "wordsway/text/tokenizer/tokenizer.h"

#include <gmock/gmock.h>

#include "text/golden_tokenizers.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/encoding_json.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

const Tokenizer& wordpiece() {
  static const auto tokenizer = load_tokenizer(test::golden_folder() / "wordpiece");
  return *tokenizer;
}

const Tokenizer& byte_level_bpe() {
  static const auto tokenizer = load_tokenizer(test::golden_folder() / "byte_level_bpe");
  return *tokenizer;
}

std::vector<std::string> hard_texts() {
  return test::read_golden("encodings.json")["texts"].get<std::vector<std::string>>();
}

TEST(Tokenizer, OfADecoderSaysWhereTextsBeginAndEnd) {
  const auto llama3 = load_tokenizer(test::golden_folder() / "llama3");
  EXPECT_EQ(llama3->kind(), "byte-level BPE");
  EXPECT_EQ(llama3->special_ids().begin_of_text, llama3->id_of("<|begin_of_text|>"));
  EXPECT_EQ(llama3->special_ids().end_of_text, llama3->id_of("<|eot_id|>"));
  EXPECT_EQ(llama3->special_token_count(), 1);
  const auto qwen2 = load_tokenizer(test::golden_folder() / "qwen2");
  EXPECT_EQ(qwen2->special_ids().begin_of_text, std::nullopt);
  EXPECT_EQ(qwen2->special_ids().end_of_text, qwen2->id_of("<|im_end|>"));
  EXPECT_EQ(qwen2->special_token_count(), 0);
  const auto llama2 = load_tokenizer(test::golden_folder() / "llama2");
  EXPECT_EQ(llama2->kind(), "SentencePiece BPE");
  EXPECT_EQ(llama2->special_ids().begin_of_text, 1);
  EXPECT_EQ(llama2->special_ids().end_of_text, 2);
  EXPECT_EQ(llama2->surface(*llama2->id_of("▁the")), " the");
  EXPECT_EQ(llama2->surface(*llama2->id_of("<0x0A>")), "\n");
  EXPECT_EQ(llama2->max_length(), std::nullopt);
}

TEST(Tokenizer, SaysWhatItIs) {
  EXPECT_EQ(wordpiece().kind(), "WordPiece");
  EXPECT_EQ(wordpiece().vocabulary_size(), 2000);
  EXPECT_EQ(wordpiece().special_ids().mask, wordpiece().id_of("[MASK]"));
  EXPECT_EQ(wordpiece().special_ids().separator, 3);
  EXPECT_EQ(byte_level_bpe().kind(), "byte-level BPE");
  EXPECT_EQ(byte_level_bpe().special_ids().padding, byte_level_bpe().id_of("<pad>"));
  EXPECT_EQ(byte_level_bpe().special_ids().classification, 0);
  EXPECT_EQ(byte_level_bpe().max_length(), std::nullopt);
}

TEST(Tokenizer, SurfacesAreThePiecesWithoutTheirMarks) {
  EXPECT_EQ(wordpiece().surface(*wordpiece().id_of("##ing")), "ing");
  EXPECT_EQ(byte_level_bpe().surface(*byte_level_bpe().id_of("Ġthe")), " the");
  EXPECT_THROW(wordpiece().surface(2000), DataError);
  EXPECT_THROW(wordpiece().piece(-1), DataError);
}

TEST(Tokenizer, SurfacesOfByteLevelTokensJoinToTheText) {
  for (const std::string& text : hard_texts()) {
    if (text.find('<') != std::string::npos) continue;  // may hold special tokens, which take spaces with them
    std::string joined;
    for (const int id : byte_level_bpe().encode(text, {.special_tokens = false}).ids)
      joined += byte_level_bpe().surface(id);
    EXPECT_EQ(joined, text);
  }
}

TEST(Tokenizer, SpecialTokensCanBeLeftOut) {
  EXPECT_THAT(wordpiece().encode("the movie", {.special_tokens = false}).pieces, ElementsAre("the", "movie"));
  EXPECT_THAT(wordpiece().encode("the movie").pieces, ElementsAre("[CLS]", "the", "movie", "[SEP]"));
  EXPECT_TRUE(wordpiece().encode("", {.special_tokens = false}).ids.empty());
  EXPECT_EQ(wordpiece().special_token_count(), 2);
}

TEST(Tokenizer, LongTextsAreCutWithRoomForTheSpecialTokens) {
  const Encoding cut = wordpiece().encode("the movie was good", {.max_tokens = 4});
  EXPECT_THAT(cut.pieces, ElementsAre("[CLS]", "the", "movie", "[SEP]"));
  EXPECT_TRUE(cut.cut);
  EXPECT_FALSE(wordpiece().encode("the movie", {.max_tokens = 4}).cut);
  EXPECT_EQ(wordpiece().encode("the movie", {.max_tokens = 2}).size(), 2);
  EXPECT_THROW(wordpiece().encode("the movie", {.max_tokens = 1}), UsageError);
}

TEST(Tokenizer, CountsWhatItEncodes) {
  for (const std::string& text : hard_texts()) {
    EXPECT_EQ(wordpiece().count_tokens(text), wordpiece().encode(text).size());
    EXPECT_EQ(byte_level_bpe().count_tokens(text, false),
              byte_level_bpe().encode(text, {.special_tokens = false}).size());
  }
}

TEST(Tokenizer, ByteOffsetsPointAtTheSameCharactersAsCodePointOffsets) {
  for (const Tokenizer* tokenizer : {&wordpiece(), &byte_level_bpe()}) {
    for (const std::string& text : hard_texts()) {
      const Encoding encoding = tokenizer->encode(text);
      for (Index t = 0; t < encoding.size(); ++t) {
        const auto [begin, end] = encoding.byte_offsets[t];
        ASSERT_LE(begin, end);
        EXPECT_EQ(static_cast<Index>(unicode::decode(text.substr(0, begin)).size()), encoding.offsets[t][0]);
        EXPECT_EQ(static_cast<Index>(unicode::decode(text.substr(0, end)).size()), encoding.offsets[t][1]);
      }
    }
  }
}

TEST(Tokenizer, InvalidUtf8CountsAsReplacementCharacters) {
  const std::string broken = "the \xff\xc3 mov\xe2\x82ie\xed\xa0\x80";
  const std::string replaced = "the \ufffd\ufffd mov\ufffdie\ufffd\ufffd\ufffd";
  for (const Tokenizer* tokenizer : {&wordpiece(), &byte_level_bpe()}) {
    const Encoding encoding = tokenizer->encode(broken);
    EXPECT_EQ(encoding.ids, tokenizer->encode(replaced).ids);
    EXPECT_EQ(encoding.offsets, tokenizer->encode(replaced).offsets);
    for (const auto& [begin, end] : encoding.byte_offsets) EXPECT_LE(end, static_cast<Index>(broken.size()));
  }
}

TEST(Tokenizer, EncodingManyTextsInParallelEqualsOneByOne) {
  std::vector<std::string> texts;
  for (int repeat = 0; repeat < 8; ++repeat) {
    for (const std::string& text : hard_texts()) texts.push_back(text + std::to_string(repeat));
  }
  set_thread_count(4);
  for (const Tokenizer* tokenizer : {&wordpiece(), &byte_level_bpe()}) {
    const auto together = encode_all(*tokenizer, texts);
    ASSERT_EQ(together.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_EQ(together[i].ids, tokenizer->encode(texts[i]).ids);
      EXPECT_EQ(together[i].byte_offsets, tokenizer->encode(texts[i]).byte_offsets);
    }
  }
}

TEST(Tokenizer, JsonHoldsIdsPiecesWordsAndOffsets) {
  for (const std::string& text : hard_texts()) {
    const Encoding encoding = byte_level_bpe().encode(text);
    std::string line;
    append_json(line, encoding);
    const auto json = nlohmann::json::parse(line);
    auto expected = test::to_golden(encoding, byte_level_bpe());
    expected.erase("odd_pieces");
    expected["pieces"] = encoding.pieces;
    EXPECT_EQ(json, expected);
  }
}

}  // namespace
}  // namespace wordsway
