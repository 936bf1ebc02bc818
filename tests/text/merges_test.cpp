#include "wordsway/text/tokenizer/merges.h"

#include <gtest/gtest.h>

#include "wordsway/random/stream.h"

namespace wordsway {
namespace {

/// A vocabulary over the letters a, b, c and random merges of what is there already.
struct RandomRules {
  Vocabulary vocabulary;
  Merges merges;

  explicit RandomRules(const Stream& stream) {
    std::vector<std::string> tokens;
    const auto add = [&](const std::string& token) {
      if (vocabulary.find(token)) return;
      vocabulary.add(token, vocabulary.size(), "test");
      tokens.push_back(token);
    };
    for (const char* letter : {"a", "b", "c"}) add(letter);
    for (int rule = 0; rule < 40; ++rule) {
      const auto bits = stream.bits(rule);
      const std::string left = tokens[bits[0] % tokens.size()];
      const std::string right = tokens[bits[1] % tokens.size()];
      if (left.size() + right.size() > 12) continue;
      add(left + right);
      merges.add(left, right, vocabulary, "test");
    }
  }
};

TEST(Merges, TheQueueGivesWhatTheDefinitionGivesOnRandomRulesAndWords) {
  for (int trial = 0; trial < 200; ++trial) {
    const Stream stream = Stream(3).derive(trial);
    const RandomRules rules(stream.derive("rules"));
    std::vector<Symbol> word;
    for (int i = 0; i < trial; ++i) word.push_back({static_cast<int>(stream.bits(i)[0] % 3), 1});
    std::vector<Symbol> expected = word;
    rules.merges.apply(word);
    rules.merges.apply_reference(expected);
    EXPECT_EQ(word, expected) << "trial " << trial;
  }
}

TEST(Merges, LowerRanksGoFirstAndEqualOnesFromTheLeft) {
  Vocabulary vocabulary;
  for (const char* token : {"a", "b", "aa", "ab"}) vocabulary.add(token, vocabulary.size(), "test");
  Merges merges;
  merges.add("a", "b", vocabulary, "test");
  merges.add("a", "a", vocabulary, "test");
  std::vector<Symbol> word{{0, 1}, {0, 1}, {0, 1}, {1, 1}};  // aaab
  merges.apply(word);
  EXPECT_EQ(word, (std::vector<Symbol>{{2, 2}, {3, 2}}));
  word = {{0, 1}, {0, 1}, {0, 1}};
  merges.apply(word);
  EXPECT_EQ(word, (std::vector<Symbol>{{2, 2}, {0, 1}}));
}

}  // namespace
}  // namespace wordsway
