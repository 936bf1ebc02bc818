#include <gtest/gtest.h>

#include "wordsway/random/stream.h"

namespace wordsway {
namespace {

// The known-answer vectors that Random123 publishes for philox4x32-10.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, LanesEqualSingleBlocksAlsoPast32Bits) {
  const PhiloxKey key{0xa4093822, 0x299f31d0};
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{1000}, (std::uint64_t{1} << 32) - 100}) {
    std::array<std::uint32_t, kPhiloxLanes> words[4];
    philox_lanes(first, key, words);
    for (size_t lane = 0; lane < kPhiloxLanes; ++lane) {
      const std::uint64_t counter = first + lane;
      const auto expected =
          philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0}, key);
      for (size_t w = 0; w < 4; ++w) ASSERT_EQ(words[w][lane], expected[w]) << first << " + " << lane;
    }
  }
}

}  // namespace
}  // namespace wordsway
