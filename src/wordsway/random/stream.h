// Counter-based random streams (Philox 4x32-10; Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011).
//
// A stream is a key; its t-th number is a pure function of (key, t). Streams are made from a seed by naming what they
// are for: Stream(seed).derive("trial").derive(3).derive("weights"). No state, so results cannot depend on threads,
// ranks or order.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace wordsway {

/// A number in (0, 1) from 64 bits: 52 of them, centred so that neither end is reached, not even by rounding.
inline double to_unit_interval(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t bits = low | static_cast<std::uint64_t>(high) << 32;
  return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52;
}

class Stream {
 public:
  explicit Stream(std::uint64_t seed);

  /// The stream for a part of this stream's purpose. Different numbers and names give independent streams.
  Stream derive(std::uint64_t number) const;
  Stream derive(std::string_view name) const;

  std::uint64_t key() const { return key_; }

  /// The 128 bits at counter t.
  std::array<std::uint32_t, 4> bits(std::uint64_t t) const;

  /// The t-th uniform number in (0, 1).
  double uniform(std::uint64_t t) const;

 private:
  std::uint64_t key_;
};

// The generator under every stream: Philox 4x32 with 10 rounds, a bijection of a 128-bit counter keyed by 64 bits.

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
