#include "wordsway/text/corpus/encoded_texts.h"

#include <set>

#include <gtest/gtest.h>

#include "text/golden_tokenizers.h"
#include "wordsway/core/error.h"

namespace wordsway {
namespace {

using Ids = std::vector<std::vector<int>>;

std::shared_ptr<const Tokenizer> tokenizer_in(const char* folder) {
  return load_tokenizer(test::golden_folder() / folder);
}

std::string digest_of(const Ids& ids, const std::string& name = "texts") {
  return EncodedTexts(name, tokenizer_in("wordpiece"), ids).content().text("texts");
}

TEST(EncodedTexts, AreTheSameWhenTheirIdsAreWhateverTheirName) {
  EXPECT_EQ(digest_of({{1, 2, 3}, {4}}), digest_of({{1, 2, 3}, {4}}, "others"));
}

TEST(EncodedTexts, AreOthersWhenAnIdAnOrderOrABoundaryIsAnother) {
  const Ids variants[] = {
      {{1, 2, 3}, {4}}, {{1, 2, 3}, {5}}, {{4}, {1, 2, 3}},     {{1, 2}, {3, 4}},     {{1, 2, 3, 4}},
      {{1, 2, 3}},      {{1, 3, 2}, {4}}, {{}, {1, 2, 3}, {4}}, {{1, 2, 3}, {}, {4}}, {}};
  std::set<std::string> digests;
  for (const Ids& ids : variants) digests.insert(digest_of(ids));
  EXPECT_EQ(digests.size(), std::size(variants));
}

TEST(EncodedTexts, TellTheirTokenizerFirstAndThenTheTexts) {
  const Ids ids{{1, 2}};
  const Record bert = EncodedTexts("t", tokenizer_in("wordpiece"), ids).content();
  const Record roberta = EncodedTexts("t", tokenizer_in("byte_level_bpe"), ids).content();
  EXPECT_EQ(bert.text("texts"), roberta.text("texts"));
  EXPECT_NE(bert, roberta);
  EXPECT_EQ(bert.fields().back().first, "texts");
  EXPECT_EQ(bert.fields().size(), tokenizer_in("wordpiece")->content().fields().size() + 1);
}

TEST(EncodedTexts, GiveBackTheirIdsAndLengths) {
  const EncodedTexts texts("mine", tokenizer_in("wordpiece"), {{1, 2}, {}, {3}});
  EXPECT_EQ(texts.name(), "mine");
  EXPECT_EQ(texts.size(), 3);
  EXPECT_EQ(texts.length(1), 0);
  EXPECT_EQ(texts.ids(2), std::vector<int>{3});
}

TEST(EncodedTexts, NeedATokenizer) {
  EXPECT_THROW(EncodedTexts("mine", nullptr, {}), UsageError);
}

}  // namespace
}  // namespace wordsway
