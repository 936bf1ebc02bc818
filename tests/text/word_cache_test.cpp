#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "wordsway/random/stream.h"
#include "wordsway/text/tokenizer/bpe.h"

namespace wordsway {
namespace {

/// The only right symbols of a word, so that an answer meant for another word is noticed.
std::vector<Symbol> symbols_of(const std::string& word) {
  std::vector<Symbol> symbols;
  for (const char c : word) symbols.push_back({static_cast<unsigned char>(c), static_cast<int>(word.size())});
  return symbols;
}

TEST(WordCache, GivesBackWhatItWasToldAndNothingElse) {
  WordCache cache;
  std::vector<Symbol> found{{9, 9}};
  EXPECT_FALSE(cache.find("good", found));
  cache.insert("good", symbols_of("good"));
  cache.insert("", {});
  ASSERT_TRUE(cache.find("good", found));
  EXPECT_EQ(found, symbols_of("good"));
  EXPECT_FALSE(cache.find("goo", found));
  EXPECT_TRUE(cache.find("", found));
  EXPECT_TRUE(found.empty());
}

TEST(WordCache, KeepsTheFirstAnswerForAWord) {
  WordCache cache;
  cache.insert("word", {{1, 4}});
  cache.insert("word", {{2, 4}});
  std::vector<Symbol> found;
  ASSERT_TRUE(cache.find("word", found));
  EXPECT_EQ(found, (std::vector<Symbol>{{1, 4}}));
}

TEST(WordCache, StaysBoundedAndRightWhenThereAreMoreWordsThanItHolds) {
  WordCache cache;
  constexpr int kWords = 400'000;
  for (int i = 0; i < kWords; ++i) cache.insert(std::to_string(i), symbols_of(std::to_string(i)));
  int kept = 0;
  std::vector<Symbol> found;
  for (int i = 0; i < kWords; ++i) {
    const std::string word = std::to_string(i);
    if (!cache.find(word, found)) continue;
    ASSERT_EQ(found, symbols_of(word)) << word;
    ++kept;
  }
  EXPECT_LT(kept, kWords / 2);
  EXPECT_GT(kept, kWords / 8);
}

TEST(WordCache, DoesNotKeepWordsOfAnyLength) {
  WordCache cache;
  const std::string long_word(100'000, 'x');
  cache.insert(long_word, symbols_of(long_word));
  std::vector<Symbol> found;
  EXPECT_FALSE(cache.find(long_word, found));
}

TEST(WordCache, AnswersSeveralThreadsThatAskAndTellAtOnce) {
  WordCache cache;
  std::atomic<int> wrong = 0;
  std::atomic<int> hits = 0;
  const auto work = [&](std::uint64_t thread) {
    const Stream stream = Stream(31).derive(thread);
    std::vector<Symbol> found;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      const std::string word = std::to_string(stream.bits(i)[0] % 3000);
      if (cache.find(word, found)) {
        ++hits;
        wrong += found != symbols_of(word);
      } else {
        cache.insert(word, symbols_of(word));
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::uint64_t thread = 0; thread < 4; ++thread) threads.emplace_back(work, thread);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GE(hits, 4 * 20'000 - 4 * 3000);
}

}  // namespace
}  // namespace wordsway
