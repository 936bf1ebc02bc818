// The two kinds of tokenizers that join pairs: byte-level BPE and that of SentencePiece.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "wordsway/text/tokenizer/bpe.h"
#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/pre_tokenizers.h"
#include "wordsway/text/tokenizer/subword_model.h"

namespace wordsway {

class JsonView;

// Byte-level BPE, the tokenizer of GPT-2, RoBERTa, Llama 3 and Qwen2: words by a pattern, their UTF-8 bytes joined pair
// by pair.

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

// BPE as SentencePiece trains it, the tokenizer of Llama 2 and Mistral: spaces are the mark "▁", the characters of the
// whole text are joined pair by pair, and those that the vocabulary lacks are written as bytes.

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

/// Reads a BPE model of a tokenizer.json with its normaliser and pre-tokenizer: byte-level BPE when the pre-tokenizer
/// is ByteLevel, or a Split by a known pattern and ByteLevel; else that of SentencePiece. `json` is the whole file.
/// Throws DataError naming the place of whatever is wrong or not supported.
std::unique_ptr<SubwordModel> read_bpe(const JsonView& json, const Vocabulary& vocabulary);

}  // namespace wordsway
