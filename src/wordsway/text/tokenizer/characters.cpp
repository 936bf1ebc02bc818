#include "wordsway/text/tokenizer/characters.h"

#include <limits>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"

namespace wordsway {

DecodedText decode_text(std::string_view utf8) {
  if (utf8.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw DataError("a text has " + std::to_string(utf8.size()) + " bytes; expected less than 4 GiB");
  }
  DecodedText text;
  text.characters.reserve(utf8.size());
  text.byte_begin.reserve(utf8.size() + 1);
  std::uint32_t at = 0;
  while (at < utf8.size()) {
    const unicode::Decoded next = unicode::decode_first(utf8.substr(at));
    const auto index = static_cast<std::uint32_t>(text.characters.size());
    text.characters.push_back({next.code, index, index + 1});
    text.byte_begin.push_back(at);
    at += static_cast<std::uint32_t>(next.length);
  }
  text.byte_begin.push_back(at);
  return text;
}

void to_utf8(CharacterSpan characters, std::string& out) {
  out.clear();
  for (const Character& character : characters) unicode::append_utf8(out, character.code);
}

}  // namespace wordsway
