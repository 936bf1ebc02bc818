#include "wordsway/text/corpus/token_counts.h"

#include <gmock/gmock.h>

#include "text/golden_tokenizers.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using Ids = std::vector<std::vector<int>>;

const Tokenizer& counting_tokenizer() {
  static const std::unique_ptr<Tokenizer> result = load_tokenizer(test::golden_folder() / "wordpiece");
  return *result;
}

// Six ids without a role.
std::vector<int> words() {
  return counting_tokenizer().encode("the of and in to was", {.special_tokens = false}).ids;
}

TEST(TokenCounts, PutTheMostFrequentFirstAndLeaveOutTokensWithARole) {
  const std::vector<int> w = words();
  ASSERT_GE(w.size(), 4U);
  const SpecialIds& special = counting_tokenizer().special_ids();
  const Ids texts = {{*special.classification, w[2], w[1], w[2], *special.separator},
                     {*special.classification, w[0], w[2], w[1], *special.unknown, *special.separator}};
  const TokenCounts counts(counting_tokenizer(), texts);
  EXPECT_EQ(counts.size(), 3);
  EXPECT_THAT(counts.draw(-1, 10, 0, Stream(1)).ids, ElementsAre(w[2], w[1], w[0]));
  EXPECT_THAT(counts.draw(-1, 2, 0, Stream(1)).ids, ElementsAre(w[2], w[1]));
  EXPECT_THAT(counts.draw(w[2], 2, 0, Stream(1)).ids, ElementsAre(w[1], w[0])) << "the word itself is no replacement";
}

TEST(TokenCounts, DrawAWordAsOftenAsItComes) {
  const std::vector<int> w = words();
  const TokenCounts counts(counting_tokenizer(), Ids{{w[0], w[0], w[0], w[1], w[3], w[3], w[3], w[3]}});
  const DrawnTokens drawn = counts.draw(w[3], 10, 4000, Stream(2));
  const auto first = std::count(drawn.drawn.begin(), drawn.drawn.end(), 0);
  EXPECT_NEAR(static_cast<double>(first) / 4000, 0.75, 0.04);
  const DrawnTokens fewer = counts.draw(w[3], 10, 9, Stream(2));
  EXPECT_TRUE(std::equal(fewer.drawn.begin(), fewer.drawn.end(), drawn.drawn.begin()));
}

TEST(TokenCounts, KeepTheDrawnAlone) {
  const DrawnTokens all{{10, 11, 12, 13}, {3, 1, 3}};
  const DrawnTokens kept = all.without_the_rest();
  EXPECT_THAT(kept.ids, ElementsAre(13, 11));
  EXPECT_THAT(kept.drawn, ElementsAre(0, 1, 0));
}

TEST(TokenCounts, SayWhenThereIsNoOtherWord) {
  const std::vector<int> w = words();
  const TokenCounts counts(counting_tokenizer(), Ids{{w[0], w[0]}});
  EXPECT_THAT([&] { counts.draw(w[0], 10, 3, Stream(1)); }, ThrowsMessage<DataError>(HasSubstr("no other word")));
}

}  // namespace
}  // namespace wordsway
