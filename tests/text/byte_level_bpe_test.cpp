#include <gmock/gmock.h>

#include "text/random_text.h"
#include "wordsway/core/error.h"
#include "wordsway/text/tokenizer/bpe_models.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using Tokens = std::vector<std::string>;

/// A vocabulary of some letters and what they join into; "x" is not in it.
struct Rules {
  Vocabulary vocabulary;
  Merges merges;

  Rules() {
    for (const char* token : {"a", "b", "c", "Ġ", "ab", "abc", "Ġa", "cab", "<unk>", "Ċ"})
      vocabulary.add(token, vocabulary.size(), "test");
    merges.add("a", "b", vocabulary, "test");
    merges.add("ab", "c", vocabulary, "test");
    merges.add("Ġ", "a", vocabulary, "test");
  }
};

struct Cut {
  Tokens tokens;
  std::vector<std::pair<int, int>> offsets;
  std::vector<int> words;
};

Cut cut(const std::string& text, const ByteLevelBpeOptions& options = {}) {
  Rules rules;
  const auto model = make_byte_level_bpe(rules.vocabulary, std::move(rules.merges), options, "test");
  int word = 0;
  TokenizedText tokenized;
  model->tokenize(decode_text(text).characters, word, tokenized);
  const std::vector<Piece>& pieces = tokenized.pieces;
  Cut result;
  for (const Piece& piece : pieces) {
    result.tokens.push_back(rules.vocabulary.token(piece.id));
    result.offsets.emplace_back(piece.begin, piece.end);
    result.words.push_back(piece.word);
  }
  return result;
}

TEST(ByteLevelBpe, JoinsInsideWordsAndNotAcrossThem) {
  const Cut result = cut("abc ab a\nb");
  EXPECT_THAT(result.tokens, ElementsAre("abc", "Ġ", "ab", "Ġa", "Ċ", "b"));
  EXPECT_THAT(result.words, ElementsAre(0, 1, 1, 2, 3, 4));
  EXPECT_EQ(result.offsets[2], std::pair(4, 6));
}

TEST(ByteLevelBpe, AWordThatIsATokenStaysWholeOnlyWhenAskedTo) {
  EXPECT_THAT(cut("cab").tokens, ElementsAre("c", "ab"));
  EXPECT_THAT(cut("cab", {.whole_words_first = true, .unknown_token = {}}).tokens, ElementsAre("cab"));
  EXPECT_THAT(cut("cabc", {.whole_words_first = true, .unknown_token = {}}).tokens, ElementsAre("c", "abc"));
}

TEST(ByteLevelBpe, BytesThatNobodyKnowsVanishOrAreUnknown) {
  EXPECT_THAT(cut("axxb").tokens, ElementsAre("ab"));
  EXPECT_THAT(cut("axxb", {.unknown_token = "<unk>"}).tokens, ElementsAre("a", "<unk>", "<unk>", "b"));
  const Cut fused = cut("axxbx", {.unknown_token = "<unk>", .fuse_unknown = true});
  EXPECT_THAT(fused.tokens, ElementsAre("a", "<unk>", "b", "<unk>"));
  EXPECT_EQ(fused.offsets[1], std::pair(1, 3));
  EXPECT_TRUE(cut("xx").tokens.empty());
}

TEST(ByteLevelBpe, AnUnknownCharacterOfSeveralBytesIsOnePlace) {
  const Cut bytes = cut("a\u6771b", {.unknown_token = "<unk>"});
  EXPECT_THAT(bytes.tokens, ElementsAre("a", "<unk>", "<unk>", "<unk>", "b"));
  for (int i = 1; i <= 3; ++i) EXPECT_EQ(bytes.offsets[i], std::pair(1, 2));
  EXPECT_EQ(bytes.offsets[4], std::pair(2, 3));
}

TEST(ByteLevelBpe, APrefixSpaceIsPutWhereNoneIsAndHasNoPlaceOfItsOwn) {
  const ByteLevelBpeOptions with_space{.add_prefix_space = true, .unknown_token = {}};
  const Cut put = cut("ac", with_space);
  EXPECT_THAT(put.tokens, ElementsAre("Ġa", "c"));
  EXPECT_EQ(put.offsets[0], std::pair(0, 1));
  const Cut there = cut(" ac", with_space);
  EXPECT_EQ(there.tokens, put.tokens);
  EXPECT_EQ(there.offsets[0], std::pair(0, 2));
  EXPECT_THAT(cut("\na", with_space).tokens, ElementsAre("Ġ", "Ċ", "a")) << "a newline is no space";
}

TEST(ByteLevelBpe, AsksForAnUnknownTokenThatExists) {
  EXPECT_THAT([] { cut("a", {.unknown_token = "[UNK]"}); },
              testing::ThrowsMessage<DataError>("test: the unknown token '[UNK]' is not in the vocabulary"));
}

TEST(ByteLevelBpe, TheSameWordIsCutTheSameWayHoweverOftenItComes) {
  Rules rules;
  const auto model = make_byte_level_bpe(rules.vocabulary, std::move(rules.merges), {}, "test");
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const std::string text = test::to_bytes(test::random_codes(Stream(91).derive(trial % 50), 20, U"abc \n"));
    int word = 0;
    TokenizedText tokenized;
    model->tokenize(decode_text(text).characters, word, tokenized);
    const std::vector<Piece>& pieces = tokenized.pieces;
    const Cut fresh = cut(text);
    ASSERT_EQ(pieces.size(), fresh.tokens.size());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      EXPECT_EQ(rules.vocabulary.token(pieces[i].id), fresh.tokens[i]);
      EXPECT_EQ(pieces[i].word, fresh.words[i]);
    }
  }
}

}  // namespace
}  // namespace wordsway
