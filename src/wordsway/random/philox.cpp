#include "wordsway/random/philox.h"

#include <Random123/philox.h>

namespace wordsway {
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
