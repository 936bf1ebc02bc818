// WordPiece, the tokenizer of BERT: words at spaces and punctuation, each cut greedily from the left into the longest
// pieces there are; pieces inside a word carry a prefix ("##"). A word that cannot be cut, or is too long, is unknown.
#pragma once

#include <memory>

#include "wordsway/text/tokenizer/characters.h"
#include "wordsway/text/tokenizer/subword_model.h"

namespace wordsway {

// BERT's normaliser: drops control characters, sets CJK ideographs between spaces, strips accents, lower-cases.

struct BertNormalizer {
  bool clean_text = true;
  bool space_out_cjk = true;
  bool strip_accents = true;
  bool lowercase = true;

  /// Changes `text` in place, in the order of the members above. Thread-safe.
  void normalize(Characters& text) const;
};

struct WordPieceOptions {
  BertNormalizer normalizer;
  std::string unknown_token = "[UNK]";
  std::string continuation_prefix = "##";
  std::size_t max_word_characters = 100;
};

/// Throws DataError, prefixed with `where`, when the vocabulary lacks the unknown token.
std::unique_ptr<SubwordModel> make_wordpiece(const Vocabulary& vocabulary, const WordPieceOptions& options,
                                             std::string_view where);

}  // namespace wordsway
