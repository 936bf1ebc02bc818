#include "wordsway/text/tokenizer/added_tokens.h"

#include <gmock/gmock.h>

#include "text/random_text.h"

namespace wordsway {
namespace {

using testing::ElementsAre;

AddedTokens make_tokens(const std::vector<AddedToken>& tokens) {
  AddedTokens added;
  for (const AddedToken& token : tokens) added.add(token, decode_text(token.content).characters);
  return added;
}

/// The segments of a text as strings: "<id>content" for tokens, the bare text between them.
std::vector<std::string> split(const std::vector<AddedToken>& tokens, const std::string& text) {
  const Characters characters = decode_text(text).characters;
  std::vector<std::string> parts;
  for (const auto& segment : make_tokens(tokens).split(characters)) {
    std::string part;
    to_utf8(CharacterSpan(characters).subspan(segment.begin, segment.end - segment.begin), part);
    parts.push_back((segment.id ? "<" + std::to_string(*segment.id) + ">" : "") + part);
  }
  return parts;
}

TEST(AddedTokens, AreCutOutWhereverTheyStand) {
  const std::vector<AddedToken> tokens{{"[M]", 4}};
  EXPECT_THAT(split(tokens, "a[M]b[M][M]"), ElementsAre("a", "<4>[M]", "b", "<4>[M]", "<4>[M]"));
  EXPECT_THAT(split(tokens, "a[m] [M"), ElementsAre("a[m] [M"));
  EXPECT_TRUE(split(tokens, "").empty());
  EXPECT_THAT(split({}, "abc"), ElementsAre("abc"));
}

TEST(AddedTokens, TheLeftmostWinsAndAmongThoseTheLongest) {
  const std::vector<AddedToken> tokens{{"ab", 1}, {"abc", 2}, {"bcd", 3}};
  EXPECT_THAT(split(tokens, "abcd"), ElementsAre("<2>abc", "d"));
  EXPECT_THAT(split(tokens, "abd"), ElementsAre("<1>ab", "d"));
  EXPECT_THAT(split(tokens, "xbcd"), ElementsAre("x", "<3>bcd"));
}

TEST(AddedTokens, TakeTheWhiteSpaceBesideThemWhenTheySaySo) {
  const std::string text = "a \t<x>\u3000 b";
  EXPECT_THAT(split({{.content = "<x>", .id = 1}}, text), ElementsAre("a \t", "<1><x>", "\u3000 b"));
  EXPECT_THAT(split({{.content = "<x>", .id = 1, .lstrip = true}}, text), ElementsAre("a", "<1> \t<x>", "\u3000 b"));
  EXPECT_THAT(split({{.content = "<x>", .id = 1, .rstrip = true}}, text), ElementsAre("a \t", "<1><x>\u3000 ", "b"));
}

TEST(AddedTokens, DoNotTakeTheWhiteSpaceThatATokenBeforeHasTaken) {
  const std::vector<AddedToken> tokens{{.content = "<r>", .id = 1, .rstrip = true},
                                       {.content = "<l>", .id = 2, .lstrip = true}};
  EXPECT_THAT(split(tokens, "<r>  <l>"), ElementsAre("<1><r>  ", "<2><l>"));
  EXPECT_THAT(split(tokens, "<l>  <l>"), ElementsAre("<2><l>", "<2>  <l>"));
}

TEST(AddedTokens, SingleWordsAreLeftAloneInsideOtherWords) {
  const std::vector<AddedToken> tokens{{.content = "art", .id = 1, .single_word = true}};
  EXPECT_THAT(split(tokens, "art, (art) art"), ElementsAre("<1>art", ", (", "<1>art", ") ", "<1>art"));
  for (const char* inside : {"party", "arts", "smart", "art_", "art1", "\u00E9art", "art\u0301"}) {
    EXPECT_THAT(split(tokens, inside), ElementsAre(inside));
  }
}

TEST(AddedTokens, AnEmptyOneIsNeverFound) {
  EXPECT_THAT(split({{"", 1}}, "abc"), ElementsAre("abc"));
}

TEST(AddedTokens, TheirFirstCharacterMayBeAnyCharacter) {
  EXPECT_THAT(split({{"\u6771\u4EAC", 1}}, "a\u6771\u4EAC\u6771"), ElementsAre("a", "<1>\u6771\u4EAC", "\u6771"));
  EXPECT_THAT(split({{"\u00E9", 1}, {"z", 2}}, "\u00E9z\u00E8"), ElementsAre("<1>\u00E9", "<2>z", "\u00E8"));
}

/// The longest content that stands at `at`, by trying all.
const AddedToken* longest_at(const std::vector<AddedToken>& tokens, const std::string& text, std::size_t at) {
  const AddedToken* longest = nullptr;
  for (const AddedToken& token : tokens) {
    const bool here = text.compare(at, token.content.size(), token.content) == 0;
    if (here && (!longest || token.content.size() > longest->content.size())) longest = &token;
  }
  return longest;
}

std::vector<std::string> split_reference(const std::vector<AddedToken>& tokens, const std::string& text) {
  std::vector<std::string> parts;
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longest_at(tokens, text, at);
    if (token == nullptr) {
      plain += text[at++];
      continue;
    }
    if (!plain.empty()) parts.push_back(plain);
    plain.clear();
    parts.push_back("<" + std::to_string(token->id) + ">" + token->content);
    at += token->content.size();
  }
  if (!plain.empty()) parts.push_back(plain);
  return parts;
}

TEST(AddedTokens, SplitRandomTextsAsTryingAllTokensEverywhereDoes) {
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    const Stream stream = Stream(81).derive(trial);
    std::vector<AddedToken> tokens;
    for (int i = 0; i < 5; ++i) {
      const Stream one = stream.derive("token").derive(static_cast<std::uint64_t>(i));
      const std::string content = test::to_bytes(test::random_codes(one, 1 + test::below(one, 99, 4), U"ab<"));
      const auto same = [&](const AddedToken& token) { return token.content == content; };
      if (std::none_of(tokens.begin(), tokens.end(), same)) tokens.push_back({content, i});
    }
    const std::string text = test::to_bytes(test::random_codes(stream.derive("text"), 40, U"aab<<cd"));
    EXPECT_EQ(split(tokens, text), split_reference(tokens, text)) << text;
  }
}

}  // namespace
}  // namespace wordsway
