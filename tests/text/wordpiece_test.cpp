#include "wordsway/text/tokenizer/wordpiece.h"

#include <set>

#include <gmock/gmock.h>

#include "text/random_text.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using Tokens = std::vector<std::string>;

Vocabulary wordpiece_vocabulary(const Tokens& tokens) {
  Vocabulary vocabulary;
  for (const std::string& token : tokens) {
    if (!vocabulary.find(token)) vocabulary.add(token, vocabulary.size(), "test");
  }
  return vocabulary;
}

struct WordPieceCut {
  Tokens tokens;
  std::vector<int> words;
};

WordPieceCut cut_wordpieces(const Tokens& vocabulary_tokens, const std::string& text,
                            const WordPieceOptions& options = {}) {
  const Vocabulary vocabulary = wordpiece_vocabulary(vocabulary_tokens);
  const auto model = make_wordpiece(vocabulary, options, "test");
  int word = 0;
  TokenizedText tokenized;
  model->tokenize(decode_text(text).characters, word, tokenized);
  const std::vector<Piece>& pieces = tokenized.pieces;
  WordPieceCut result;
  for (const Piece& piece : pieces) {
    result.tokens.push_back(vocabulary.token(piece.id));
    result.words.push_back(piece.word);
  }
  EXPECT_EQ(word, pieces.empty() ? 0 : pieces.back().word + 1);
  return result;
}

/// Greedy from the left, the longest piece first, by comparing strings.
Tokens cut_word_reference(const std::set<std::string>& vocabulary, const std::string& word) {
  Tokens tokens;
  for (std::size_t at = 0; at < word.size();) {
    std::size_t length = word.size() - at;
    const auto piece = [&] { return (at > 0 ? "##" : "") + word.substr(at, length); };
    while (length > 0 && !vocabulary.contains(piece())) --length;
    if (length == 0) return {"[UNK]"};
    tokens.push_back(piece());
    at += length;
  }
  return tokens;
}

TEST(WordPiece, CutsRandomWordsAsTheDefinitionDoes) {
  int unknown = 0;
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const Stream stream = Stream(71).derive(trial);
    Tokens tokens{"[UNK]"};
    for (std::uint64_t i = 0; i < 25; ++i) {
      const Stream one = stream.derive("token").derive(i);
      const std::string letters = test::to_bytes(test::random_codes(one, 1 + test::below(one, 98, 4), U"abc"));
      tokens.push_back((test::below(one, 99, 2) == 0 ? "##" : "") + letters);
    }
    const std::string word = test::to_bytes(test::random_codes(stream.derive("word"), 1 + trial % 12, U"aaabbc"));
    const Tokens expected = cut_word_reference({tokens.begin(), tokens.end()}, word);
    EXPECT_EQ(cut_wordpieces(tokens, word).tokens, expected) << word;
    unknown += expected == Tokens{"[UNK]"};
  }
  EXPECT_GT(unknown, 10);
  EXPECT_LT(unknown, 290);
}

TEST(WordPiece, WordsEndAtSpacesAndPunctuationIsAWordOfItsOwn) {
  const Tokens vocabulary{"[UNK]", "a", "b", ".", "-", "##b"};
  const WordPieceCut result = cut_wordpieces(vocabulary, "  ab-a..\u3000b ");
  EXPECT_THAT(result.tokens, ElementsAre("a", "##b", "-", "a", ".", ".", "b"));
  EXPECT_THAT(result.words, ElementsAre(0, 0, 1, 2, 3, 4, 5));
  EXPECT_TRUE(cut_wordpieces(vocabulary, " \t ").tokens.empty());
}

TEST(WordPiece, OneLetterThatNoPieceHasMakesTheWholeWordUnknown) {
  const Tokens vocabulary{"[UNK]", "good", "##ness", "a"};
  EXPECT_THAT(cut_wordpieces(vocabulary, "goodness").tokens, ElementsAre("good", "##ness"));
  EXPECT_THAT(cut_wordpieces(vocabulary, "a goodnessz a").tokens, ElementsAre("a", "[UNK]", "a"));
  EXPECT_THAT(cut_wordpieces(vocabulary, "ness").tokens, ElementsAre("[UNK]"))
      << "a piece for the inside does not start a word";
  EXPECT_THAT(cut_wordpieces({"[UNK]", "a"}, "aa").tokens, ElementsAre("[UNK]")) << "no piece for the inside at all";
}

TEST(WordPiece, TheTextOfAMarkIsNotAMark) {
  EXPECT_THAT(cut_wordpieces({"[UNK]", "#", "##a", "a"}, "##a").tokens, ElementsAre("#", "#", "a"));
}

TEST(WordPiece, WordsOfTooManyCharactersAreUnknownHoweverManyBytesTheyHave) {
  const Tokens vocabulary{"[UNK]", "é", "##é"};
  const WordPieceOptions options{.normalizer = {}, .max_word_characters = 3};
  EXPECT_THAT(cut_wordpieces(vocabulary, "ééé", options).tokens, ElementsAre("é", "##é", "##é"));
  EXPECT_THAT(cut_wordpieces(vocabulary, "éééé é", options).tokens, ElementsAre("[UNK]", "é"));
}

TEST(WordPiece, ThePrefixInsideWordsAndTheUnknownTokenCanBeOthers) {
  const WordPieceOptions options{.normalizer = {}, .unknown_token = "?!", .continuation_prefix = "@@"};
  EXPECT_THAT(cut_wordpieces({"?!", "a", "@@b", "##b"}, "ab ac", options).tokens, ElementsAre("a", "@@b", "?!"));
  EXPECT_THROW(cut_wordpieces({"[UNK]", "a"}, "a", options), DataError);
}

TEST(WordPiece, PiecesKnowTheCharactersTheyStandFor) {
  const Vocabulary vocabulary = wordpiece_vocabulary({"[UNK]", "caf", "##e", "!"});
  const auto model = make_wordpiece(vocabulary, {}, "test");
  Characters text = test::to_characters(U"x CAF\u00C9\u200B!");
  model->normalize(text);
  int word = 0;
  TokenizedText tokenized;
  model->tokenize(text, word, tokenized);
  const std::vector<Piece>& pieces = tokenized.pieces;
  ASSERT_EQ(pieces.size(), 4u);
  EXPECT_EQ(std::pair(pieces[0].begin, pieces[0].end), std::pair(0u, 1u));
  EXPECT_EQ(std::pair(pieces[1].begin, pieces[1].end), std::pair(2u, 5u));
  EXPECT_EQ(std::pair(pieces[2].begin, pieces[2].end), std::pair(5u, 6u));
  EXPECT_EQ(std::pair(pieces[3].begin, pieces[3].end), std::pair(7u, 8u));
}

TEST(WordPiece, ASurfaceIsThePieceWithoutItsPrefixUnlessNothingWouldBeLeft) {
  const auto model = make_wordpiece(wordpiece_vocabulary({"[UNK]"}), {}, "test");
  EXPECT_EQ(model->surface("##ing"), "ing");
  EXPECT_EQ(model->surface("ing"), "ing");
  EXPECT_EQ(model->surface("##"), "##");
  EXPECT_EQ(model->surface("a##b"), "a##b");
}

}  // namespace
}  // namespace wordsway
