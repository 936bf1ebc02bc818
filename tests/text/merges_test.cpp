#include <fstream>
#include <map>

#include <gmock/gmock.h>

#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/tokenizer/bpe.h"

namespace wordsway {
namespace {

using MergeRules = std::vector<std::pair<std::string, std::string>>;

/// A vocabulary over the letters a, b, c and random merges of what is there already.
struct RandomRules {
  Vocabulary vocabulary;
  Merges merges;
  MergeRules list;  // the same merges by rank

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
      std::erase(list, std::pair(left, right));  // of a rule given twice the later rank counts
      list.emplace_back(left, right);
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

/// Strings instead of ids and a list instead of a table: the first rule of the list that applies, at its first place.
std::vector<std::string> join_strings(const MergeRules& rules, std::vector<std::string> word) {
  for (std::size_t rule = 0; rule < rules.size();) {
    std::size_t i = 0;
    while (i + 1 < word.size() && std::pair(word[i], word[i + 1]) != rules[rule]) ++i;
    if (i + 1 >= word.size()) {
      ++rule;
      continue;
    }
    word[i] += word[i + 1];
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    rule = 0;
  }
  return word;
}

TEST(Merges, JoinRandomWordsAsListsOfStringsDo) {
  for (std::uint64_t trial = 0; trial < 200; ++trial) {
    const Stream stream = Stream(4).derive(trial);
    const RandomRules rules(stream.derive("rules"));
    std::vector<Symbol> word;
    std::vector<std::string> letters;
    for (std::uint64_t i = 0; i < 40; ++i) {
      word.push_back({static_cast<int>(stream.bits(i)[0] % 3), 1});
      letters.push_back(rules.vocabulary.token(word.back().id));
    }
    rules.merges.apply(word);
    std::vector<std::string> joined;
    for (const Symbol& symbol : word) {
      joined.push_back(rules.vocabulary.token(symbol.id));
      EXPECT_EQ(symbol.length, static_cast<int>(joined.back().size()));
    }
    EXPECT_EQ(joined, join_strings(rules.list, letters)) << "trial " << trial;
  }
}

TEST(Merges, AFileMayHaveAVersionEmptyLinesAndTokensThatLookLikeComments) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.path("merges.txt"), std::ios::binary) << "#version: 0.2\r\n\r\n# #\r\n\n## a";
  Vocabulary vocabulary;
  for (const char* token : {"#", "a", "##", "##a"}) vocabulary.add(token, vocabulary.size(), "test");
  const Merges merges = read_merge_lines(folder.path("merges.txt"), vocabulary);
  std::vector<Symbol> word{{0, 1}, {0, 1}, {1, 1}};
  merges.apply(word);
  EXPECT_EQ(word, (std::vector<Symbol>{{3, 3}}));
}

TEST(Merges, ARuleNeedsBothItsPartsAndWhatTheyMake) {
  Vocabulary vocabulary;
  for (const char* token : {"a", "b"}) vocabulary.add(token, vocabulary.size(), "test");
  Merges merges;
  for (const auto& [line, lacking] :
       std::map<std::string, std::string>{{"x b", "'x'"}, {"a x", "'x'"}, {"a b", "'ab'"}}) {
    EXPECT_THAT([&] { add_merge_line(line, vocabulary, "m:7", merges); },
                testing::ThrowsMessage<DataError>("m:7: merge '" + line + "' needs " + lacking +
                                                  ", which is not in the vocabulary"));
  }
  std::vector<Symbol> word{{0, 1}, {1, 1}};
  merges.apply(word);
  EXPECT_EQ(word.size(), 2u) << "a refused rule must not stay behind";
}

}  // namespace
}  // namespace wordsway
