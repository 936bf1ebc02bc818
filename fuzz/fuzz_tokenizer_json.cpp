// Any bytes are either a tokenizer that encodes texts within their bounds or a DataError.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wordsway/core/error.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace {

constexpr std::string_view kTexts[] = {"", "a", " The naïve [MASK] <mask> 中文 don't\xff\xf0 12 ", "aaaa bbbb ab ba"};

void check(const wordsway::Tokenizer& tokenizer, std::string_view text) {
  const wordsway::Encoding encoding = tokenizer.encode(text);
  for (const auto& [begin, end] : encoding.byte_offsets) {
    if (begin < 0 || begin > end || end > static_cast<wordsway::Index>(text.size())) std::abort();
  }
  for (const int id : encoding.ids) tokenizer.surface(id);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto tokenizer = wordsway::parse_tokenizer_json(bytes, "fuzz");
    for (const std::string_view text : kTexts) check(*tokenizer, text);
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
