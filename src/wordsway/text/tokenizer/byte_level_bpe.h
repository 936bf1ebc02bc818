// Byte-level BPE, the tokenizer of GPT-2, RoBERTa, Llama 3 and Qwen2: words by a pattern, their UTF-8 bytes joined pair
// by pair.
#pragma once

#include <memory>
#include <optional>

#include "wordsway/text/tokenizer/merges.h"
#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/subword_model.h"
#include "wordsway/text/tokenizer/word_patterns.h"

namespace wordsway {

struct ByteLevelBpeOptions {
  bool add_prefix_space = false;             // before a stretch of text that does not start with one
  bool whole_words_first = false;            // a word that is a token stays one, whatever the merges say
  std::optional<std::string> unknown_token;  // for bytes that are not in the vocabulary; without it they vanish
  bool fuse_unknown = false;                 // neighbouring unknown bytes are one token
  Normalizer normalizer = {};                // nothing: the text as it is
  const WordPattern* pattern = &gpt2_pattern();
};

/// Throws DataError, prefixed with `where`, when the unknown token is not in the vocabulary.
std::unique_ptr<SubwordModel> make_byte_level_bpe(const Vocabulary& vocabulary, Merges merges,
                                                  const ByteLevelBpeOptions& options, std::string_view where);

}  // namespace wordsway
