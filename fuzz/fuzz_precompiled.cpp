// Any bytes are either a map that normalises texts, with places in order and inside the text, or a DataError.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "wordsway/core/error.h"
#include "wordsway/text/tokenizer/precompiled.h"

namespace {

using wordsway::Characters;

constexpr std::string_view kTexts[] = {"", "a", "ab\r\n e\u0301\u0301x",
                                       "\u00A9\u200D\u2603 \uFB01 \u0958\u0301 \U0001F1E9\U0001F1EA"};

void check(const wordsway::PrecompiledMap& map, std::string_view utf8) {
  Characters text = wordsway::decode_text(utf8).characters;
  const std::size_t size = text.size();
  map.normalize(text);
  if (text.size() > wordsway::kMostGrowth * size) std::abort();
  std::uint32_t begin = 0;
  for (const wordsway::Character& c : text) {
    if (c.begin < begin || c.begin >= c.end || c.end > size) std::abort();
    begin = c.begin;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const wordsway::PrecompiledMap map(bytes, "fuzz");
    for (const std::string_view text : kTexts) check(map, text);
    check(map, bytes);  // its own keys and replacements as a text
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
