#include "wordsway/text/tokenizer/encoding_json.h"

#include <charconv>

namespace wordsway {
namespace {

void append_integer(std::string& out, Index value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

void append_escaped(std::string& out, char character) {
  constexpr char kHex[] = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(character);
  if (character == '"' || character == '\\') {
    out += '\\';
    out += character;
  } else if (code < 0x20) {
    out += "\\u00";
    out += kHex[code >> 4];
    out += kHex[code & 15];
  } else {
    out += character;
  }
}

void append_string(std::string& out, const std::string& value) {
  out += '"';
  for (const char character : value) append_escaped(out, character);
  out += '"';
}

template <typename Values, typename Append>
void append_array(std::string& out, const Values& values, const Append& append) {
  out += '[';
  bool first = true;
  for (const auto& value : values) {
    if (!first) out += ',';
    first = false;
    append(value);
  }
  out += ']';
}

}  // namespace

void append_json(std::string& out, const Encoding& encoding) {
  out += "{\"ids\":";
  append_array(out, encoding.ids, [&](int id) { append_integer(out, id); });
  out += ",\"pieces\":";
  append_array(out, encoding.pieces, [&](const std::string& piece) { append_string(out, piece); });
  out += ",\"words\":";
  append_array(out, encoding.words, [&](const std::optional<int>& word) {
    if (word) {
      append_integer(out, *word);
    } else {
      out += "null";
    }
  });
  out += ",\"offsets\":";
  append_array(out, encoding.offsets, [&](const std::array<Index, 2>& pair) {
    append_array(out, pair, [&](Index offset) { append_integer(out, offset); });
  });
  out += '}';
}

}  // namespace wordsway
