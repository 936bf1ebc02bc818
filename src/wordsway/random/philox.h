// The generator under every stream: Philox 4x32 with 10 rounds, a bijection of a 128-bit counter keyed by 64 bits.
#pragma once

#include <array>
#include <cstdint>

namespace wordsway {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Random123's implementation: one block.
PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key);

/// Blocks a wide call makes.
inline constexpr int kPhiloxLanes = 256;

/// The blocks at counters {first + lane, 0} for all lanes, word by word: words[w][lane]. The same numbers as philox(),
/// written so that the compiler turns lanes into vector instructions (bench/random prints the gain).
void philox_lanes(std::uint64_t first, const PhiloxKey& key, std::array<std::uint32_t, kPhiloxLanes> (&words)[4]);

}  // namespace wordsway
