#include "wordsway/text/tokenizer/unigram.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

#include "text/random_text.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using Pieces = std::vector<std::pair<std::string, double>>;
using Texts = std::vector<std::string>;

struct UnigramCut {
  Texts texts;  // of the pieces
  std::vector<int> ids;
  std::vector<std::pair<int, int>> offsets;
  std::vector<int> words;
};

class Model {
 public:
  explicit Model(const Pieces& pieces, UnigramOptions options = {}) {
    for (const auto& [piece, score] : pieces) {
      vocabulary_.add(piece, static_cast<long long>(options.scores.size()), "test");
      options.scores.push_back(score);
    }
    model_ = make_unigram(vocabulary_, std::move(options));
  }

  UnigramCut cut(const std::string& text) const {
    int word = 0;
    TokenizedText tokenized;
    model_->tokenize(decode_text(text).characters, word, tokenized);
    UnigramCut result;
    for (std::size_t i = 0; i < tokenized.pieces.size(); ++i) {
      const Piece& piece = tokenized.pieces[i];
      result.texts.push_back(tokenized.token_text(i, vocabulary_));
      result.ids.push_back(piece.id);
      result.offsets.emplace_back(piece.begin, piece.end);
      result.words.push_back(piece.word);
    }
    return result;
  }

  const SubwordModel& operator*() const { return *model_; }

 private:
  Vocabulary vocabulary_;
  std::unique_ptr<SubwordModel> model_;
};

TEST(Unigram, TakesTheCutWithTheLargestSum) {
  const Model model(
      {{"<unk>", 0}, {"a", 0}, {"b", 0}, {"c", 0}, {"d", 0}, {"cd", 1}, {"ab", 2}, {"abc", 5}, {"abcd", 10}});
  EXPECT_THAT(model.cut("abcdacdxx").texts, ElementsAre("abcd", "a", "cd", "xx"));
  const Model greedy_fails({{"<unk>", 0}, {"a", -2}, {"ab", -1}, {"abc", -9}, {"bcd", -1}, {"d", -5}, {"c", -2}});
  EXPECT_THAT(greedy_fails.cut("abcd").texts, ElementsAre("a", "bcd"));
}

TEST(Unigram, OfEqualSumsTheLongerLastPieceWins) {
  const Model model({{"<unk>", 0}, {"a", -1}, {"aa", -2}, {"aaa", -3}});
  EXPECT_THAT(model.cut("aaaa").texts, ElementsAre("a", "aaa"));
  EXPECT_THAT(model.cut("aaaaaaa").texts, ElementsAre("a", "aaa", "aaa"));
}

TEST(Unigram, SumsAreDoublesFormedFromTheLeft) {
  // 0.1 + 0.2 > 0.3 in doubles: the cut into two is the better one, by one bit.
  EXPECT_THAT(Model({{"<unk>", -9}, {"a", 0.1}, {"b", 0.2}, {"ab", 0.3}}).cut("ab").texts, ElementsAre("a", "b"));
  EXPECT_THAT(Model({{"<unk>", -9}, {"a", 0.1}, {"b", 0.2}, {"ab", 0.1 + 0.2}}).cut("ab").texts, ElementsAre("ab"));
}

TEST(Unigram, NeighbouringUnknownCharactersAreOneTokenThatKeepsItsText) {
  const UnigramCut cut = Model({{"<unk>", 0}, {"a", -1}}).cut("x中éa!a");
  EXPECT_THAT(cut.texts, ElementsAre("x中é", "a", "!", "a"));
  EXPECT_THAT(cut.ids, ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(cut.offsets, ElementsAre(std::pair(0, 3), std::pair(3, 4), std::pair(4, 5), std::pair(5, 6)));
}

TEST(Unigram, AnUnknownCharacterScoresTenLessThanTheWorstPiece) {
  // As unknown, 'b' scores 50.
  EXPECT_THAT(Model({{"<unk>", 60}, {"a", 60}, {"ab", 109}}).cut("ab").texts, ElementsAre("a", "b"));
  EXPECT_THAT(Model({{"<unk>", 60}, {"a", 60}, {"ab", 110}}).cut("ab").texts, ElementsAre("ab"));
  EXPECT_THAT(Model({{"<unk>", 59}, {"a", 60}, {"ab", 109}}).cut("ab").texts, ElementsAre("ab"));
}

TEST(Unigram, AFusedStretchThatIsAPieceIsThatPiece) {
  // 'xy' as two unknown characters scores 2·(30 − 10) = 40, as a piece 30.
  const UnigramCut cut = Model({{"<unk>", 30}, {"xy", 30}}).cut("xy");
  EXPECT_THAT(cut.ids, ElementsAre(1));
  EXPECT_THAT(cut.texts, ElementsAre("xy"));
}

TEST(Unigram, TheNameOfTheUnknownPieceInATextFusesWithUnknownNeighbours) {
  const UnigramCut cut = Model({{"<unk>", 0}, {"a", -1}}).cut("?<unk>a<unk>");
  EXPECT_THAT(cut.texts, ElementsAre("?<unk>", "a", "<unk>"));
  EXPECT_THAT(cut.ids, ElementsAre(0, 1, 0));
}

TEST(Unigram, OfAPieceThatStandsTwiceTheLastScoreCounts) {
  const UnigramCut cut = Model({{"<unk>", 0}, {"ab", 9}, {"a", -1}, {"b", -1}, {"ab", -9}}).cut("ab");
  EXPECT_THAT(cut.texts, ElementsAre("a", "b"));
}

TEST(Unigram, UnknownTextFallsBackToBytesWhereAllOfThemArePieces) {
  const Pieces pieces{{"<unk>", 0}, {"a", -1}, {"<0xC3>", -9}, {"<0xA9>", -9}};
  const UnigramCut cut = Model(pieces, {.byte_fallback = true}).cut("aéa");
  EXPECT_THAT(cut.texts, ElementsAre("a", "<0xC3>", "<0xA9>", "a"));
  EXPECT_THAT(cut.offsets, ElementsAre(std::pair(0, 1), std::pair(1, 2), std::pair(1, 2), std::pair(2, 3)));
  EXPECT_THAT(Model(pieces, {.byte_fallback = true}).cut("éü").texts, ElementsAre("éü"));
  EXPECT_THAT(Model(pieces).cut("é").texts, ElementsAre("é"));
}

TEST(Unigram, WordsAreCutOnTheirOwnAndNumbered) {
  const UnigramCut cut =
      Model({{"<unk>", 0}, {"▁a", -1}, {"b", -2}, {"b▁a", 9}}, {.pre_tokenizers = {Metaspace()}}).cut("ab a");
  EXPECT_THAT(cut.texts, ElementsAre("▁a", "b", "▁a"));
  EXPECT_THAT(cut.words, ElementsAre(0, 0, 1));
  EXPECT_THAT(cut.offsets, ElementsAre(std::pair(0, 1), std::pair(1, 2), std::pair(2, 4)));
}

TEST(Unigram, ASurfaceHasASpaceForTheMarkAndTheByteOfAFallback) {
  const Model model({{"<unk>", 0}}, {.byte_fallback = true});
  EXPECT_EQ((*model).surface("▁the"), " the");
  EXPECT_EQ((*model).surface("<0xC3>"), "\xC3");
  EXPECT_EQ((*model).surface("<0xZZ>"), "<0xZZ>");
  EXPECT_EQ((*Model({{"<unk>", 0}})).surface("<0xC3>"), "<0xC3>");
}

/// The largest sum over all ways to cut, by trying them all.
double best_sum_reference(const std::map<std::string, double>& pieces, double unknown, const std::string& text,
                          double sum = 0) {
  if (text.empty()) return sum;
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t length = 1; length <= text.size(); ++length) {
    if (const auto found = pieces.find(text.substr(0, length)); found != pieces.end())
      best = std::max(best, best_sum_reference(pieces, unknown, text.substr(length), sum + found->second));
  }
  if (!pieces.contains(text.substr(0, 1)))
    best = std::max(best, best_sum_reference(pieces, unknown, text.substr(1), sum + unknown));
  return best;
}

TEST(Unigram, ReachesTheSumThatTryingAllCutsReaches) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const Stream stream = Stream(77).derive(trial);
    Pieces pieces{{"<unk>", 0}};
    std::map<std::string, double> scores;
    for (std::uint64_t i = 0; i < 12; ++i) {
      const Stream one = stream.derive(i);
      const std::string piece = test::to_bytes(test::random_codes(one, 1 + test::below(one, 9, 4), U"abc"));
      if (scores.contains(piece)) continue;
      const double score = -static_cast<double>(test::below(one, 10, 1000)) / 64;  // sums are exact in any order
      pieces.emplace_back(piece, score);
      scores[piece] = score;
    }
    double worst = 0;
    for (const auto& [piece, score] : pieces) worst = std::min(worst, score);
    const std::string text = test::to_bytes(test::random_codes(stream.derive("text"), 9, U"abc"));
    double sum = 0;
    std::string joined;
    for (const std::string& piece : Model(pieces).cut(text).texts) {
      const auto found = scores.find(piece);
      sum += found != scores.end() ? found->second : static_cast<double>(piece.size()) * (worst - 10);
      joined += piece;
    }
    EXPECT_EQ(joined, text);
    EXPECT_EQ(sum, best_sum_reference(scores, worst - 10, text)) << text;
  }
}

TEST(Unigram, ScoresAreTheDoublesThatTheLibraryReads) {
  // As `tokenizers` 0.23 writes them again after reading.
  EXPECT_EQ(score_as_read_by_tokenizers(-13.897599220275879), -13.89759922027588);
  EXPECT_EQ(score_as_read_by_tokenizers(-1.1), -1.1);
  EXPECT_EQ(score_as_read_by_tokenizers(0.0), 0.0);
  EXPECT_EQ(score_as_read_by_tokenizers(-150.0), -150.0);
  EXPECT_EQ(score_as_read_by_tokenizers(7213099639557620.0), 7213099639557619.0);
  EXPECT_EQ(score_as_read_by_tokenizers(1.7e308), 1.7e308);
  EXPECT_EQ(score_as_read_by_tokenizers(5e-324), 5e-324);
}

}  // namespace
}  // namespace wordsway
