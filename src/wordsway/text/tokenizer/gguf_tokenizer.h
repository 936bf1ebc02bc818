// The tokenizer that a GGUF file carries in its metadata, under the keys tokenizer.ggml.*:
//
//   model    `gpt2`, byte-level BPE: tokens and merges; the words are cut as the key `pre` says
//            `llama`, BPE of SentencePiece: tokens and their scores, from which the merges follow
//   token_type   of every token: normal 1, unknown 2, control 3, user-defined 4, unused 5, byte 6
//   bos_token_id, eos_token_id, unknown_token_id, padding_token_id, add_bos_token, add_eos_token, add_space_prefix
//
// Ids, pieces, words, offsets and decoded texts equal those of the tokenizer.json that the file was made from. That
// file has rules which GGUF has no key for; where llama.cpp and tokenizer.json differ, this follows the latter: Qwen2
// normalises to NFC.
#pragma once

#include "wordsway/io/gguf_metadata.h"
#include "wordsway/text/tokenizer/bpe.h"
#include "wordsway/text/tokenizer/tokenizer_parts.h"

namespace wordsway {

/// Control, unknown and user-defined tokens become added tokens, the first two special ones. Unused tokens, which fill
/// a vocabulary up to the size of the model's table, are left out: no tokenizer.json has them.
/// Throws DataError naming file and key on a missing or wrong value, and on a `model` or `pre` that is not supported.
TokenizerParts read_gguf_tokenizer(const GgufMetadata& metadata);

/// The merges that SentencePiece would make, in the order of Transformers' converter: for every token all splits into
/// two others, those of the best scores first. One score for every id of the vocabulary, finite.
Merges merges_from_scores(const Vocabulary& vocabulary, const std::vector<double>& scores);

}  // namespace wordsway
