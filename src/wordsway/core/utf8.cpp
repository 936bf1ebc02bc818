#include "wordsway/core/utf8.h"

namespace wordsway::unicode {
namespace {

struct LeadByte {
  int length;  // of the whole sequence; 0 when no sequence starts so
  unsigned char second_low, second_high;
};

// Unicode's table 3-7 of well-formed sequences.
LeadByte classify(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

Decoded decode_first(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return {lead, 1};
  const LeadByte kind = classify(lead);
  if (kind.length == 0) return {kReplacement, 1};
  char32_t code = lead & (0x7Fu >> kind.length);
  for (int i = 1; i < kind.length; ++i) {
    const unsigned char byte = i < static_cast<int>(bytes.size()) ? static_cast<unsigned char>(bytes[i]) : 0;
    const unsigned char low = i == 1 ? kind.second_low : 0x80;
    const unsigned char high = i == 1 ? kind.second_high : 0xBF;
    if (byte < low || byte > high) return {kReplacement, i};
    code = code << 6 | (byte & 0x3Fu);
  }
  return {code, kind.length};
}

bool is_valid_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const Decoded next = decode_first(bytes);
    // A genuine U+FFFD takes three bytes whose first is 0xEF; a replaced error never looks like that.
    if (next.code == kReplacement && bytes.substr(0, 3) != "\xEF\xBF\xBD") return false;
    bytes.remove_prefix(next.length);
  }
  return true;
}

std::u32string decode(std::string_view bytes) {
  std::u32string codes;
  codes.reserve(bytes.size());
  while (!bytes.empty()) {
    const Decoded next = decode_first(bytes);
    codes.push_back(next.code);
    bytes.remove_prefix(next.length);
  }
  return codes;
}

void append_utf8(std::string& out, char32_t code) {
  const auto push = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    push(code);
  } else if (code < 0x800) {
    push(0xC0 | code >> 6);
    push(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    push(0xE0 | code >> 12);
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  } else {
    push(0xF0 | code >> 18);
    push(0x80 | (code >> 12 & 0x3F));
    push(0x80 | (code >> 6 & 0x3F));
    push(0x80 | (code & 0x3F));
  }
}

}  // namespace wordsway::unicode
