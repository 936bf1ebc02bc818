// Any bytes on standard input are either texts or an error about data or usage.
#pragma once

#include <sstream>
#include <string>

#include "wordsway/core/error.h"
#include "wordsway/text/corpus/corpus.h"

inline int read_as_corpus(const std::uint8_t* data, std::size_t size, wordsway::CorpusFormat format) {
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  wordsway::CorpusOptions options;
  options.format = format;
  options.standard_input = &input;
  options.max_unpacked_bytes = 1 << 22;
  try {
    wordsway::read_corpus("-", options);
  } catch (const wordsway::DataError&) {
  } catch (const wordsway::UsageError&) {
  }
  return 0;
}
