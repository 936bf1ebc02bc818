#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/text/tokenizer/bpe_models.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct PieceRules {
  Vocabulary vocabulary;
  Merges merges;

  PieceRules() {
    for (const char* token : {"a", "b", "▁", "ab", "▁a", "▁ab", "bab", "<unk>", "<0x0A>", "<0xC3>", "<0xA9>"})
      vocabulary.add(token, vocabulary.size(), "test");
    merges.add("a", "b", vocabulary, "test");
    merges.add("▁", "a", vocabulary, "test");
    merges.add("▁", "ab", vocabulary, "test");
  }
};

struct PieceCut {
  std::vector<std::string> tokens;
  std::vector<std::pair<int, int>> offsets;
  std::vector<int> words;
};

PieceCut cut_pieces(const std::string& text, const SentencePieceBpeOptions& options = {}) {
  PieceRules rules;
  const auto model = make_sentencepiece_bpe(rules.vocabulary, std::move(rules.merges), options, "test");
  int word = 0;
  TokenizedText tokenized;
  model->tokenize(decode_text(text).characters, word, tokenized);
  PieceCut result;
  for (const Piece& piece : tokenized.pieces) {
    result.tokens.push_back(rules.vocabulary.token(piece.id));
    result.offsets.emplace_back(piece.begin, piece.end);
    result.words.push_back(piece.word);
  }
  return result;
}

SentencePieceBpeOptions with_bytes() {
  SentencePieceBpeOptions options;
  options.byte_fallback = true;
  options.unknown_token = "<unk>";
  options.fuse_unknown = true;
  return options;
}

TEST(SentencePieceBpe, JoinsCharactersOfTheWholeTextWithoutWords) {
  const PieceCut result = cut_pieces("▁ab▁a▁b");
  EXPECT_THAT(result.tokens, ElementsAre("▁ab", "▁a", "▁", "b"));
  EXPECT_THAT(result.words, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(result.offsets, ElementsAre(Pair(0, 3), Pair(3, 5), Pair(5, 6), Pair(6, 7)));
}

TEST(SentencePieceBpe, WritesCharactersThatItLacksAsBytesThatStandForAllOfThem) {
  const PieceCut result = cut_pieces("aé\nb", with_bytes());
  EXPECT_THAT(result.tokens, ElementsAre("a", "<0xC3>", "<0xA9>", "<0x0A>", "b"));
  EXPECT_THAT(result.offsets, ElementsAre(Pair(0, 1), Pair(1, 2), Pair(1, 2), Pair(2, 3), Pair(3, 4)));
}

TEST(SentencePieceBpe, TakesWhatHasNotAllItsBytesForUnknown) {
  SentencePieceBpeOptions options = with_bytes();
  EXPECT_THAT(cut_pieces("xyab", options).tokens, ElementsAre("<unk>", "ab"));
  EXPECT_THAT(cut_pieces("xyab", options).offsets, ElementsAre(Pair(0, 2), Pair(2, 4)));
  EXPECT_THAT(cut_pieces("x\ny", options).tokens, ElementsAre("<0x0A>", "<unk>")) << "the library's order";
  options.fuse_unknown = false;
  EXPECT_THAT(cut_pieces("xyab", options).tokens, ElementsAre("<unk>", "<unk>", "ab"));
  options.unknown_token.reset();
  EXPECT_THAT(cut_pieces("xyab", options).tokens, ElementsAre("ab"));
}

TEST(SentencePieceBpe, AWordThatIsATokenStaysWholeOnlyWhenAskedTo) {
  EXPECT_THAT(cut_pieces("bab").tokens, ElementsAre("b", "ab"));
  SentencePieceBpeOptions options;
  options.whole_words_first = true;
  EXPECT_THAT(cut_pieces("bab", options).tokens, ElementsAre("bab"));
}

TEST(SentencePieceBpe, CutsAMillionCharactersInOneWord) {
  std::string text;
  for (int i = 0; i < 250000; ++i) text += "▁aba";
  EXPECT_EQ(cut_pieces(text).tokens.size(), 500000u);
}

TEST(SentencePieceBpe, AnUnknownTokenOutsideTheVocabularyIsAnError) {
  SentencePieceBpeOptions options;
  options.unknown_token = "<nope>";
  EXPECT_THROW(cut_pieces("a", options), DataError);
}

}  // namespace
}  // namespace wordsway
