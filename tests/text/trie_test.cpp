#include "wordsway/text/tokenizer/trie.h"

#include <map>

#include <gtest/gtest.h>

#include "text/random_text.h"

namespace wordsway {
namespace {

using test::below;
using test::random_codes;
using test::to_characters;
using TrieKeys = std::map<std::u32string, int>;

/// The longest key after `prefix` by trying all of them: {value, characters after the prefix}.
std::optional<std::pair<int, std::size_t>> longest_reference(const TrieKeys& keys, const std::u32string& prefix,
                                                             const std::u32string& text) {
  std::optional<std::pair<int, std::size_t>> longest;
  for (const auto& [key, value] : keys) {
    if (!key.starts_with(prefix) || key.size() == prefix.size()) continue;
    const std::u32string rest = key.substr(prefix.size());
    if (text.starts_with(rest) && (!longest || rest.size() > longest->second)) longest = {value, rest.size()};
  }
  return longest;
}

TEST(Trie, FindsTheLongestKeyThatTryingAllOfThemFinds) {
  constexpr std::u32string_view kAlphabet = U"ab#é\U0001F600";
  for (std::uint64_t trial = 0; trial < 100; ++trial) {
    const Stream stream = Stream(21).derive(trial);
    Trie trie;
    TrieKeys keys;
    for (int i = 0; i < 60; ++i) {
      const Stream one = stream.derive("key").derive(static_cast<std::uint64_t>(i));
      const std::u32string key = random_codes(one, below(one, 99, 6), kAlphabet);
      trie.insert(key, i);
      keys[key] = i;
    }
    for (std::uint64_t i = 0; i < 60; ++i) {
      const std::u32string text = random_codes(stream.derive("text").derive(i), 8, kAlphabet);
      for (const std::u32string& prefix : {std::u32string(), std::u32string(U"#"), std::u32string(U"##")}) {
        const int node = trie.walk(Trie::kRoot, prefix);
        const auto found = trie.longest_match(node, to_characters(text));
        const auto expected = longest_reference(keys, prefix, text);
        ASSERT_EQ(found.has_value(), expected.has_value()) << "trial " << trial << ", text " << i;
        if (!found) continue;
        EXPECT_EQ(found->value, expected->first);
        EXPECT_EQ(found->length, expected->second);
      }
    }
  }
}

TEST(Trie, GoesBackToAShorterKeyWhenALongerOneBreaksOff) {
  Trie trie;
  trie.insert(U"un", 1);
  trie.insert(U"unable", 2);
  const auto match = trie.longest_match(Trie::kRoot, to_characters(U"unabridged"));
  ASSERT_TRUE(match);
  EXPECT_EQ(match->value, 1);
  EXPECT_EQ(match->length, 2u);
  EXPECT_FALSE(trie.longest_match(Trie::kRoot, to_characters(U"u")));
}

TEST(Trie, AnEmptyKeyAndAPlaceThatIsNowhereMatchNothing) {
  Trie trie;
  trie.insert(U"", 1);
  trie.insert(U"a", 2);
  EXPECT_FALSE(trie.longest_match(Trie::kRoot, to_characters(U"b")));
  EXPECT_FALSE(trie.longest_match(Trie::kRoot, {}));
  EXPECT_EQ(trie.walk(Trie::kRoot, U"##"), Trie::kNowhere);
  EXPECT_FALSE(trie.longest_match(Trie::kNowhere, to_characters(U"a")));
}

}  // namespace
}  // namespace wordsway
