// Any bytes are either pairs of texts or an error about data, as JSON Lines and as csv; and either the JSON of an
// earlier audit or an error about data.
#include <cstdint>
#include <sstream>
#include <string>

#include "wordsway/audit/pair_verdict.h"
#include "wordsway/core/error.h"
#include "wordsway/text/pairs/pair_file.h"
#include "wordsway/text/words/word_diff.h"

namespace {

void read_as_pairs(const std::string& bytes, wordsway::CorpusFormat format) {
  std::istringstream input(bytes);
  wordsway::TextLines lines(wordsway::open_bytes("-", input, 1 << 22), "input");
  try {
    for (const wordsway::TextPair& pair : wordsway::read_pairs(lines, format))
      wordsway::changed_words(pair.anchor, pair.changed);
  } catch (const wordsway::DataError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read_as_pairs(bytes, wordsway::CorpusFormat::kJsonLines);
  read_as_pairs(bytes, wordsway::CorpusFormat::kCsv);
  try {
    wordsway::parse_pair_baseline(bytes, "input");
  } catch (const wordsway::DataError&) {
  }
  return 0;
}
