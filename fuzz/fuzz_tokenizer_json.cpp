// Any bytes are either a tokenizer that encodes texts within their bounds, and decodes any ids, or a DataError.
#include <cstdint>
#include <string_view>

#include "tokenizer_checks.h"
#include "wordsway/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    wordsway::fuzz::check_tokenizer(*wordsway::parse_tokenizer_json(bytes, "fuzz"));
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
