// BERT's normaliser: drops control characters, sets CJK ideographs between spaces, strips accents, lower-cases.
#pragma once

#include "wordsway/text/tokenizer/characters.h"

namespace wordsway {

struct BertNormalizer {
  bool clean_text = true;
  bool space_out_cjk = true;
  bool strip_accents = true;
  bool lowercase = true;

  /// Changes `text` in place, in the order of the members above. Thread-safe.
  void normalize(Characters& text) const;
};

}  // namespace wordsway
