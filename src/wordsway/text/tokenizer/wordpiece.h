// WordPiece, the tokenizer of BERT: words at spaces and punctuation, each cut greedily from the left into the longest
// pieces there are; pieces inside a word carry a prefix ("##"). A word that cannot be cut, or is too long, is unknown.
#pragma once

#include <memory>

#include "wordsway/text/tokenizer/bert_normalizer.h"
#include "wordsway/text/tokenizer/subword_model.h"

namespace wordsway {

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
