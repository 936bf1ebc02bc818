// BPE as SentencePiece trains it, the tokenizer of Llama 2 and Mistral: spaces are the mark "▁", the characters of the
// whole text are joined pair by pair, and those that the vocabulary lacks are written as bytes.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wordsway/text/tokenizer/merges.h"
#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/pre_tokenizers.h"
#include "wordsway/text/tokenizer/subword_model.h"

namespace wordsway {

struct SentencePieceBpeOptions {
  Normalizer normalizer = {};                     // nothing: the text as it is
  std::vector<PreTokenizer> pre_tokenizers = {};  // none: the text is one word
  std::optional<std::string> unknown_token = {};  // for characters that are neither tokens nor bytes; else they vanish
  bool fuse_unknown = false;                      // neighbouring unknown characters are one token
  bool byte_fallback = false;                     // as pieces <0x00> … <0xFF>, where the vocabulary has all it needs
  bool whole_words_first = false;                 // a word that is a token stays one, whatever the merges say
};

/// As in `tokenizers`, an unknown token comes after bytes that follow it.
/// Throws DataError, prefixed with `where`, when the unknown token is not in the vocabulary.
std::unique_ptr<SubwordModel> make_sentencepiece_bpe(const Vocabulary& vocabulary, Merges merges,
                                                     SentencePieceBpeOptions options, std::string_view where);

}  // namespace wordsway
