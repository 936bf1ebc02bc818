// Whatever the files of WordNet hold, they are read into a table that can be asked, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "wordnet_sections.h"
#include "wordsway/core/error.h"
#include "wordsway/text/lexicon/lexicon_table.h"
#include "wordsway/text/lexicon/lexicon_writer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wordsway;
  try {
    const auto files = wordnet_of_sections({reinterpret_cast<const char*>(data), size});
    const std::string bytes = write_lexicon(wordnet::parse(files), "");
    const LexiconTable table(std::as_bytes(std::span(bytes)));
    for (LexiconTable::WordId word = 0; word < table.size(); ++word) {
      if (table.find(table.text(word)) != word) std::abort();
      for (const auto& entry : table.entries(word)) {
        for (const auto* list : {&entry.synonyms, &entry.antonyms})
          for (const auto other : *list)
            if (other >= table.size()) std::abort();
        if (table.alike(entry, 100).size() > 100) std::abort();
      }
    }
  } catch (const DataError&) {
  }
  return 0;
}
