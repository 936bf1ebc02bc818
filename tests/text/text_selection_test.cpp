#include "wordsway/text/corpus/text_selection.h"

#include <set>

#include <gmock/gmock.h>

#include "text/golden_tokenizers.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"

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

}  // namespace
}  // namespace wordsway
