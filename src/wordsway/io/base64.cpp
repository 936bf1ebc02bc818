#include "wordsway/io/base64.h"

#include <array>
#include <cstdint>

namespace wordsway {
namespace {

constexpr int kNoDigit = -1;

constexpr std::array<int, 256> kDigits = [] {
  std::array<int, 256> digits{};
  for (int& digit : digits) digit = kNoDigit;
  int value = 0;
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    digits[static_cast<unsigned char>(c)] = value++;
  return digits;
}();

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  text.remove_suffix(padding);

  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;  // of bits that are in no byte yet
  for (const char c : text) {
    const int digit = kDigits[static_cast<unsigned char>(c)];
    if (digit == kNoDigit) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  // Bits before the padding that belong to no byte are zero in every encoder; others mean a damaged text.
  if ((bits & ((1u << count) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace wordsway
