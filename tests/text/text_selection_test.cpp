#include "wordsway/text/corpus/text_selection.h"

#include <map>
#include <set>

#include <gmock/gmock.h>

#include "text/golden_tokenizers.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/random_order.h"

namespace wordsway {
namespace {

const Tokenizer& tokenizer() {
  static const auto loaded = load_tokenizer(test::golden_folder() / "wordpiece");
  return *loaded;
}

/// 600 texts of 1 to 12 words; a third are negative, every tenth has no label.
std::vector<LabelledText> corpus() {
  std::vector<LabelledText> texts;
  for (int i = 0; i < 600; ++i) {
    LabelledText text;
    for (int word = 0; word <= i % 12; ++word) text.text += "the ";
    if (i % 10 != 0) text.label = i % 3 == 0 ? -1 : 1;
    text.id = std::to_string(i);
    texts.push_back(text);
  }
  return texts;
}

Index count_label(const std::vector<LabelledText>& texts, int label) {
  return std::count_if(texts.begin(), texts.end(), [&](const LabelledText& t) { return t.label == label; });
}

TEST(TextSelection, TakesShortTextsEquallyManyOfEachLabel) {
  const auto chosen = select_texts(corpus(), tokenizer(), Stream(1), {.max_tokens = 10, .count = 100});
  EXPECT_EQ(chosen.size(), 100u);
  EXPECT_EQ(count_label(chosen, 1), 50);
  EXPECT_EQ(count_label(chosen, -1), 50);
  std::set<std::string> ids;
  for (const LabelledText& text : chosen) {
    EXPECT_LT(tokenizer().encode(text.text).size(), 10);
    EXPECT_TRUE(ids.insert(text.id).second) << "twice: " << text.id;
  }
}

TEST(TextSelection, DependsOnTheSeedAndNotOnTheThreads) {
  const SelectionOptions options{.max_tokens = 10, .count = 60};
  set_thread_count(1);
  const auto one = select_texts(corpus(), tokenizer(), Stream(1), options);
  set_thread_count(4);
  EXPECT_EQ(one, select_texts(corpus(), tokenizer(), Stream(1), options));
  EXPECT_NE(one, select_texts(corpus(), tokenizer(), Stream(2), options));
}

TEST(TextSelection, WithoutACountTakesAsManyAsTheRarestLabelAllows) {
  const auto chosen = select_texts(corpus(), tokenizer(), Stream(1), {.max_tokens = 1000});
  EXPECT_EQ(count_label(chosen, -1), 180);
  EXPECT_EQ(count_label(chosen, 1), 180);
  EXPECT_EQ(select_texts(corpus(), tokenizer(), Stream(1), {.max_tokens = 1000, .balanced = false}).size(), 600u);
}

TEST(TextSelection, AnOddCountGivesTheSmallerLabelOneMore) {
  const auto chosen = select_texts(corpus(), tokenizer(), Stream(1), {.count = 7});
  EXPECT_EQ(count_label(chosen, -1), 4);
  EXPECT_EQ(count_label(chosen, 1), 3);
}

TEST(TextSelection, TooFewTextsAreAnErrorThatSaysHowMany) {
  try {
    select_texts(corpus(), tokenizer(), Stream(1), {.max_tokens = 1000, .count = 400});
    ADD_FAILURE() << "no error";
  } catch (const DataError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("only 380 usable labelled texts with fewer than 1000 tokens; asked for 400"));
  }
  EXPECT_THROW(select_texts(corpus(), tokenizer(), Stream(1), {.count = 0}), UsageError);
  EXPECT_THROW(select_texts({}, tokenizer(), Stream(1), {.count = 1, .balanced = false}), DataError);
}

/// By the definition: all texts in the drawn order, those that fit, as many of each label as its share allows.
std::vector<LabelledText> select_reference(const std::vector<LabelledText>& texts, const Stream& stream,
                                           Index max_tokens, std::map<int, Index> shares) {
  std::vector<LabelledText> chosen;
  const auto size = static_cast<Index>(texts.size());
  for (const Index i : random_order(stream, size, size)) {
    const LabelledText& text = texts[static_cast<std::size_t>(i)];
    if (!text.label || tokenizer().encode(text.text).size() >= max_tokens || shares[*text.label] == 0) continue;
    --shares[*text.label];
    chosen.push_back(text);
  }
  return chosen;
}

TEST(TextSelection, IsWhatWalkingThroughTheDrawnOrderGives) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (const Index each : {1, 20, 70}) {
      const auto expected = select_reference(corpus(), Stream(seed), 9, {{-1, each}, {1, each}});
      EXPECT_EQ(select_texts(corpus(), tokenizer(), Stream(seed), {.max_tokens = 9, .count = 2 * each}), expected);
    }
  }
}

TEST(TextSelection, ASmallerSelectionIsTheBeginningOfALargerOne) {
  const auto all = select_texts(corpus(), tokenizer(), Stream(3), {.count = 500, .balanced = false});
  for (const Index count : {1, 255, 256, 257}) {
    const auto some = select_texts(corpus(), tokenizer(), Stream(3), {.count = count, .balanced = false});
    EXPECT_EQ(some, std::vector(all.begin(), all.begin() + count));
  }
}

TEST(TextSelection, TheOrderIsDrawnAndNotThatOfTheCorpus) {
  const auto chosen = select_texts(corpus(), tokenizer(), Stream(4), {.count = 600, .balanced = false});
  int kept_places = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) kept_places += chosen[i].id == std::to_string(i);
  EXPECT_LT(kept_places, 10);
}

TEST(TextSelection, TheLimitIsOneMoreThanTheLongestTextAndMayLeaveSpecialTokensOut) {
  const std::vector<LabelledText> texts{{"the", 1, "a"}, {"the the", 1, "b"}, {"the the the", 1, "c"}};
  const auto count = [&](Index max_tokens, bool special) {
    const SelectionOptions options{.max_tokens = max_tokens, .special_tokens = special, .balanced = false};
    return select_texts(texts, tokenizer(), Stream(1), options).size();
  };
  EXPECT_EQ(count(3, true), 0u);
  EXPECT_EQ(count(4, true), 1u);
  EXPECT_EQ(count(5, true), 2u);
  EXPECT_EQ(count(3, false), 2u);
  EXPECT_EQ(count(4, false), 3u);
}

TEST(TextSelection, SharesAreAsEqualAsTheyCanBeWithAnyNumberOfLabels) {
  std::vector<LabelledText> texts;
  for (int i = 0; i < 90; ++i) texts.push_back({"the", i % 3, std::to_string(i)});
  for (const auto& [count, shares] :
       std::map<Index, std::array<Index, 3>>{{3, {1, 1, 1}}, {7, {3, 2, 2}}, {2, {1, 1, 0}}}) {
    const auto chosen = select_texts(texts, tokenizer(), Stream(5), {.count = count});
    for (int label = 0; label < 3; ++label) EXPECT_EQ(count_label(chosen, label), shares[label]) << count;
  }
}

TEST(TextSelection, ALabelWhoseTextsAreAllTooLongLeavesNothingToBalance) {
  const std::vector<LabelledText> texts{{"the", 1, "a"}, {"the the the the", -1, "b"}};
  EXPECT_TRUE(select_texts(texts, tokenizer(), Stream(1), {.max_tokens = 5}).empty());
  EXPECT_THROW(select_texts(texts, tokenizer(), Stream(1), {.max_tokens = 5, .count = 2}), DataError);
  EXPECT_THROW(select_texts({{"the", {}, "a"}}, tokenizer(), Stream(1), {.count = 1}), DataError);
}

}  // namespace
}  // namespace wordsway
