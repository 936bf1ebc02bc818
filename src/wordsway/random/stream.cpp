#include "wordsway/random/stream.h"

#include <Random123/philox.h>

namespace wordsway {

namespace {

// The fourth counter word keeps the three uses of a key apart: drawing (0), deriving by number, deriving by name.
constexpr std::uint32_t kDeriveNumber = 1, kDeriveName = 2;

PhiloxKey as_key(std::uint64_t key) {
  return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

std::uint64_t derived_key(std::uint64_t key, std::uint64_t what, std::uint32_t use) {
  const auto block =
      philox({static_cast<std::uint32_t>(what), static_cast<std::uint32_t>(what >> 32), 0, use}, as_key(key));
  return block[0] | static_cast<std::uint64_t>(block[1]) << 32;
}

std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

Stream::Stream(std::uint64_t seed) : key_(seed) {}

Stream Stream::derive(std::uint64_t number) const {
  return Stream(derived_key(key_, number, kDeriveNumber));
}

Stream Stream::derive(std::string_view name) const {
  return Stream(derived_key(key_, fnv1a(name), kDeriveName));
}

std::array<std::uint32_t, 4> Stream::bits(std::uint64_t t) const {
  return philox({static_cast<std::uint32_t>(t), static_cast<std::uint32_t>(t >> 32), 0, 0}, as_key(key_));
}

double Stream::uniform(std::uint64_t t) const {
  const auto words = bits(t);
  return to_unit_interval(words[0], words[1]);
}

namespace {

constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

}  // namespace

PhiloxCounter philox(const PhiloxCounter& counter, const PhiloxKey& key) {
  const r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k = {{key[0], key[1]}};
  const auto result = r123::Philox4x32()(c, k);
  return {result[0], result[1], result[2], result[3]};
}

void philox_lanes(std::uint64_t first, const PhiloxKey& key, std::array<std::uint32_t, kPhiloxLanes> (&words)[4]) {
  auto& [x0, x1, x2, x3] = words;
  for (size_t lane = 0; lane < kPhiloxLanes; ++lane) {
    const std::uint64_t counter = first + lane;
    x0[lane] = static_cast<std::uint32_t>(counter);
    x1[lane] = static_cast<std::uint32_t>(counter >> 32);
    x2[lane] = x3[lane] = 0;
  }
  std::uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < kRounds; ++round, k0 += kWeyl0, k1 += kWeyl1) {
    for (size_t lane = 0; lane < kPhiloxLanes; ++lane) {
      const std::uint64_t product0 = static_cast<std::uint64_t>(kMultiplier0) * x0[lane];
      const std::uint64_t product1 = static_cast<std::uint64_t>(kMultiplier1) * x2[lane];
      x0[lane] = static_cast<std::uint32_t>(product1 >> 32) ^ x1[lane] ^ k0;
      x1[lane] = static_cast<std::uint32_t>(product1);
      x2[lane] = static_cast<std::uint32_t>(product0 >> 32) ^ x3[lane] ^ k1;
      x3[lane] = static_cast<std::uint32_t>(product0);
    }
  }
}

}  // namespace wordsway
