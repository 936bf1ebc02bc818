// The built-in model's vocabulary; the ids were written by Transformers 5.22.2.
#include <filesystem>

#include <gtest/gtest.h>

#include "support/places.h"
#include "wordsway/text/reviews/builtin_reviews.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {
namespace {

class BuiltinTokenizer : public testing::Test {
 protected:
  const std::unique_ptr<Tokenizer> tokenizer = load_tokenizer(test::source_folder() / "models" / "builtin");
};

TEST_F(BuiltinTokenizer, GivesTheIdsThatTransformersGives) {
  EXPECT_EQ(tokenizer->encode("I [MASK] her much").ids, (std::vector{2, 51, 4, 298, 476, 3}));
  EXPECT_EQ(tokenizer->encode("The movie was really [MASK], although nobody expected it.").ids,
            (std::vector{2, 183, 259, 239, 423, 4, 16, 1042, 3109, 2421, 208, 18, 3}));
  EXPECT_EQ(tokenizer->encode("Café-society UNBELIEVABLY: 3.5/10 — naïve 映画 \t\"rubbish\"!!").ids,
            (std::vector{2, 2211, 357, 17, 2454, 7649, 30, 23, 18, 25, 19, 678, 1, 4725, 1, 1, 6, 4332, 6, 5, 5, 3}));
}

TEST_F(BuiltinTokenizer, KnowsEveryWordOfTheBuiltinReviewsAndGivesAtLeastAToken) {
  for (std::uint64_t index = 0; index < 100; ++index) {
    const Encoding encoding = tokenizer->encode(builtin_review(index, 100).text, {.special_tokens = false});
    EXPECT_GE(encoding.size(), 100);
    for (const int id : encoding.ids) EXPECT_NE(id, 1) << "an unknown word in review " << index;
  }
}

}  // namespace
}  // namespace wordsway
