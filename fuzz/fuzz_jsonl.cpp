#include <cstdint>

#include "fuzz_corpus.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return read_as_corpus(data, size, wordsway::CorpusFormat::kJsonLines);
}
