// Any bytes are either a GGUF file with a tokenizer that encodes texts within their bounds, and decodes any ids, or a
// DataError.
#include <cstdint>
#include <span>

#include "tokenizer_checks.h"
#include "wordsway/core/error.h"
#include "wordsway/io/gguf_header.h"
#include "wordsway/text/tokenizer/gguf_tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto file = std::as_bytes(std::span(data, size));
    const wordsway::GgufHeader header = wordsway::parse_gguf_header(file, "fuzz");
    wordsway::fuzz::check_tokenizer(wordsway::Tokenizer(wordsway::read_gguf_tokenizer(header.metadata)));
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
