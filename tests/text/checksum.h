// The checksum by which golden files stand for results that would fill megabytes.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace wordsway::test {

/// CRC-32 as in zlib, over bytes and over 32-bit integers in memory order.
class Checksum {
 public:
  void add(std::int32_t value) {
    char bytes[4];
    std::memcpy(bytes, &value, 4);
    add(std::string_view(bytes, 4));
  }
  void add(std::string_view bytes) {
    for (const char byte : bytes) state_ = table()[(state_ ^ static_cast<unsigned char>(byte)) & 0xFF] ^ state_ >> 8;
  }
  std::uint32_t value() const { return ~state_; }

 private:
  static const std::array<std::uint32_t, 256>& table() {
    static const auto entries = [] {
      std::array<std::uint32_t, 256> result{};
      for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit) value = value & 1 ? 0xEDB88320u ^ value >> 1 : value >> 1;
        result[i] = value;
      }
      return result;
    }();
    return entries;
  }
  std::uint32_t state_ = ~0u;
};

}  // namespace wordsway::test
