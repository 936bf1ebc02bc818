#include "wordsway/random/stream.h"

#include "wordsway/random/philox.h"

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

}  // namespace wordsway
