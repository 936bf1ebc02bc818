#include "wordsway/text/tokenizer/decoding_steps.h"

#include <gmock/gmock.h>

namespace wordsway {
namespace {

using testing::ElementsAre;
using Texts = std::vector<std::string>;

/// The text after each token, and finally the rest.
Texts steps(const std::vector<DecodingRule>& rules, const Texts& tokens) {
  DecodingChain chain(rules);
  Texts out;
  for (const std::string& token : tokens) out.push_back(chain.add(token));
  out.push_back(chain.finish());
  return out;
}

TEST(DecodingSteps, StripTakesNoMoreThanItIsToldFromEitherEndOfEveryToken) {
  EXPECT_THAT(steps({strip_tokens(U'_', 2, 1)}, {"___a__b__", "__", "_", "", "a_"}),
              ElementsAre("_a__b_", "", "", "", "a", ""));
  EXPECT_THAT(steps({strip_tokens(U'é', 1, 0)}, {"ééaé"}), ElementsAre("éaé", ""));
}

TEST(DecodingSteps, StripOfAFusedTextHoldsWhatMayBeItsEnd) {
  EXPECT_THAT(steps({fuse_tokens(), strip_tokens(U'_', 1, 2)}, {"_", "_a_", "_", "_b", "__"}),
              ElementsAre("", "_a", "", "___b", "", ""));
}

TEST(DecodingSteps, ReplaceLooksInsideTokensAndAfterFuseAcrossThem) {
  EXPECT_THAT(steps({replace_in_tokens("ab", "x")}, {"abab", "a", "b"}), ElementsAre("xx", "a", "b", ""));
  EXPECT_THAT(steps({fuse_tokens(), replace_in_tokens("ab", "x")}, {"abab", "a", "b"}), ElementsAre("", "", "", "xxx"));
}

TEST(DecodingSteps, FallbackBytesAreTextOnlyWhenAllOfTheRunIs) {
  EXPECT_THAT(steps({join_fallback_bytes()}, {"<0xE2>", "<0x82>", "<0xAC>", "a"}), ElementsAre("", "", "", "€a", ""));
  EXPECT_THAT(steps({join_fallback_bytes()}, {"<0x41>", "<0xAC>", "a"}), ElementsAre("", "", "\uFFFD\uFFFDa", ""));
  EXPECT_THAT(steps({join_fallback_bytes()}, {"<0x4>", "<0xZZ>", "<0x41"}),
              ElementsAre("<0x4>", "<0xZZ>", "<0x41", ""));
}

TEST(DecodingSteps, BytesComeOutAsSoonAsTheyAreACharacter) {
  // E2 82 AC is the euro sign, F4 90 starts nothing, ED A0 neither.
  EXPECT_THAT(steps({join_bytes()}, {"â", "Ĥ", "¬"}), ElementsAre("", "", "€", ""));
  EXPECT_THAT(steps({join_bytes()}, {"â", "Ĥ"}), ElementsAre("", "", "\uFFFD"));
  EXPECT_THAT(steps({join_bytes()}, {"ô", "Ĳ"}), ElementsAre("", "\uFFFD\uFFFD", ""));
  EXPECT_THAT(steps({join_bytes()}, {"í", "ł"}), ElementsAre("", "\uFFFD\uFFFD", ""));
}

TEST(DecodingSteps, WordPiecesJoinAndCleanUpWithinAToken) {
  EXPECT_THAT(steps({join_word_pieces("##", true)}, {"##a", "##b", ".", "n't", "do not", "x"}),
              ElementsAre("##a", "b", ".", "n't", " don't", " x", ""));
  EXPECT_THAT(steps({join_word_pieces("##", false)}, {"a", "."}), ElementsAre("a", " .", ""));
}

TEST(DecodingSteps, MarksAreSpacesButForThoseOfTheFirstToken) {
  EXPECT_THAT(steps({marks_to_spaces(U'_', true)}, {"_a_", "_b"}), ElementsAre("a", " b", ""));
  EXPECT_THAT(steps({marks_to_spaces(U'_', false)}, {"_a"}), ElementsAre(" a", ""));
  EXPECT_THAT(steps({spaces_between_tokens()}, {"a", "b"}), ElementsAre("a", " b", ""));
}

}  // namespace
}  // namespace wordsway
