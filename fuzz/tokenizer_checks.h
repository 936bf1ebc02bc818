// Properties that every tokenizer must have for any texts and ids. Aborts if one does not hold.
#pragma once

#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/text_stream.h"

namespace wordsway::fuzz {

inline constexpr std::string_view kTexts[] = {"", "a", " The naïve [MASK] <mask> 中文 don't\xff\xf0 12 ",
                                              "aaaa bbbb ab ba", "\u2581a <s>x</s>\n\n 1234 '\u017f 😀"};

// A stream gives whole characters, and in the end the decoded text.
inline void check_decoding(const Tokenizer& tokenizer, std::span<const int> ids, bool skip_special) {
  TextStream stream(tokenizer, skip_special);
  std::string text;
  for (const int id : ids) {
    const std::string part = stream.add(id);
    if (!unicode::is_valid_utf8(part)) std::abort();
    text += part;
  }
  if (text + stream.finish() != tokenizer.decode(ids, skip_special)) std::abort();
}

// Places lie within the text.
inline void check_encoding(const Tokenizer& tokenizer, std::string_view text) {
  const Encoding encoding = tokenizer.encode(text);
  for (const auto& [begin, end] : encoding.byte_offsets) {
    if (begin < 0 || begin > end || end > static_cast<Index>(text.size())) std::abort();
  }
  for (const int id : encoding.ids) tokenizer.surface(id);
  for (const bool skip_special : {true, false}) check_decoding(tokenizer, encoding.ids, skip_special);
}

inline void check_tokenizer(const Tokenizer& tokenizer) {
  for (const std::string_view text : kTexts) check_encoding(tokenizer, text);
  std::vector<int> some_ids;
  for (int i = -1; i < 60; ++i) some_ids.push_back(i * i % 31);
  check_decoding(tokenizer, some_ids, false);
}

}  // namespace wordsway::fuzz
