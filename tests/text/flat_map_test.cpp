#include <map>

#include <gtest/gtest.h>

#include "wordsway/random/stream.h"
#include "wordsway/text/tokenizer/trie.h"

namespace wordsway {
namespace {

constexpr int kMissing = -7;

void expect_same(const FlatMap& map, const std::map<std::uint64_t, int>& expected) {
  for (const auto& [key, value] : expected) ASSERT_EQ(map.get(key, kMissing), value) << key;
}

TEST(FlatMap, HoldsWhatAnOrdinaryMapHoldsWhateverTheKeys) {
  // Dense keys, keys that differ in their high or low bits only, and keys like those of the trie and of the merges.
  const auto make_key = [](int kind, const std::array<std::uint32_t, 4>& bits) -> std::uint64_t {
    const std::uint64_t small = bits[0] % 5000;
    const std::uint64_t large = bits[1] % 5000;
    const std::uint64_t keys[] = {small, small << 52, small << 32 | large, small << 21 | large, small * 64};
    return keys[kind];
  };
  for (int kind = 0; kind < 5; ++kind) {
    const Stream stream = Stream(11).derive(static_cast<std::uint64_t>(kind));
    FlatMap map;
    std::map<std::uint64_t, int> expected;
    for (int i = 0; i < 20000; ++i) {
      const auto bits = stream.bits(static_cast<std::uint64_t>(i));
      const std::uint64_t key = make_key(kind, bits);
      const std::uint64_t asked = make_key(kind, {bits[2], bits[3], 0, 0});
      const auto known = expected.find(asked);
      ASSERT_EQ(map.get(asked, kMissing), known == expected.end() ? kMissing : known->second) << asked;
      map.set(key, i);
      expected[key] = i;
    }
    expect_same(map, expected);
  }
}

TEST(FlatMap, KeepsEveryKeyWhileItGrowsFromEmpty) {
  FlatMap map;
  std::map<std::uint64_t, int> expected;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(map.get(static_cast<std::uint64_t>(i), kMissing), kMissing);
    map.set(static_cast<std::uint64_t>(i), -i);
    expected[static_cast<std::uint64_t>(i)] = -i;
    expect_same(map, expected);
  }
}

TEST(FlatMap, SettingAKeyAgainReplacesItsValueAndTakesNoRoom) {
  FlatMap map;
  for (int i = 0; i < 1000; ++i) map.set(5, i);
  EXPECT_EQ(map.get(5, kMissing), 999);
  EXPECT_EQ(map.get(6, kMissing), kMissing);
  map.set(~std::uint64_t{0} - 1, 1);  // the largest key that may be used
  EXPECT_EQ(map.get(~std::uint64_t{0} - 1, kMissing), 1);
}

}  // namespace
}  // namespace wordsway
