// Any bytes are either a tokenizer that encodes texts within their bounds, and decodes any ids, or a DataError.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/text/tokenizer/text_stream.h"

namespace {

constexpr std::string_view kTexts[] = {"", "a", " The naïve [MASK] <mask> 中文 don't\xff\xf0 12 ", "aaaa bbbb ab ba",
                                       "\u2581a <s>x</s>\n\n 1234 '\u017f 😀"};

void check_decoding(const wordsway::Tokenizer& tokenizer, std::span<const int> ids, bool skip_special) {
  wordsway::TextStream stream(tokenizer, skip_special);
  std::string text;
  for (const int id : ids) {
    const std::string part = stream.add(id);
    if (!wordsway::unicode::is_valid_utf8(part)) std::abort();
    text += part;
  }
  if (text + stream.finish() != tokenizer.decode(ids, skip_special)) std::abort();
}

void check(const wordsway::Tokenizer& tokenizer, std::string_view text) {
  const wordsway::Encoding encoding = tokenizer.encode(text);
  for (const auto& [begin, end] : encoding.byte_offsets) {
    if (begin < 0 || begin > end || end > static_cast<wordsway::Index>(text.size())) std::abort();
  }
  for (const int id : encoding.ids) tokenizer.surface(id);
  for (const bool skip_special : {true, false}) check_decoding(tokenizer, encoding.ids, skip_special);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = wordsway::parse_tokenizer_json(bytes, "fuzz");
    for (const std::string_view text : kTexts) check(*tokenizer, text);
    std::vector<int> some_ids;
    for (int i = -1; i < 60; ++i) some_ids.push_back(i * i % 31);
    check_decoding(*tokenizer, some_ids, false);
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
