// tokenizer.json, the file of the `tokenizers` library that says everything about a tokenizer.
#pragma once

#include "wordsway/io/json_view.h"
#include "wordsway/text/tokenizer/decoding_steps.h"
#include "wordsway/text/tokenizer/normalizers.h"
#include "wordsway/text/tokenizer/pre_tokenizers.h"
#include "wordsway/text/tokenizer/tokenizer_config.h"
#include "wordsway/text/tokenizer/tokenizer_parts.h"

namespace wordsway {

/// Everything but padding is read; `config` gives roles and the maximum length, and changes nothing else.
/// Throws DataError naming the place of whatever is wrong or not supported.
TokenizerParts read_tokenizer_json(const JsonView& json, const TokenizerConfig& config);

/// Reads a Unigram model with its normaliser and pre-tokenizers, and fills the vocabulary from it. `json` is the whole
/// file. Throws DataError likewise.
std::unique_ptr<SubwordModel> read_unigram(const JsonView& json, Vocabulary& vocabulary);

/// Reads a BPE model with its normaliser and pre-tokenizer: byte-level BPE when the pre-tokenizer is ByteLevel, or a
/// Split by a known pattern and ByteLevel; else that of SentencePiece. `json` is the whole file. Throws DataError
/// likewise.
std::unique_ptr<SubwordModel> read_bpe(const JsonView& json, const Vocabulary& vocabulary);

/// Reads the "normalizer" of Unigram and BPE: Precompiled, Replace, Prepend, Strip, NFC, a Sequence of them, or null,
/// for which the result is empty. Throws DataError on any other, naming the `model` it was for.
Normalizer read_normalizer(const JsonView& json, std::string_view model);

/// Reads the "pre_tokenizer" of Unigram and SentencePiece BPE: Metaspace, WhitespaceSplit, a Sequence of them, or null.
/// Throws DataError on any other, naming the `model` it was for.
std::vector<PreTokenizer> read_pre_tokenizers(const JsonView& json, std::string_view model);

/// Reads a Metaspace, which pre-tokenizers and decoders write alike. Throws DataError when a setting is wrong.
Metaspace read_metaspace(const JsonView& json);

/// Reads the "decoder": ByteLevel, Replace, ByteFallback, Fuse, Strip, Metaspace, WordPiece, a Sequence of them, or
/// null. Throws DataError when a setting is wrong. Of a type that is not supported the rule throws when a text is
/// decoded by it: to encode texts nobody needs it.
std::vector<DecodingRule> read_decoder(const JsonView& json);

// The "post_processor" of a tokenizer.json.

/// Reads TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel, a Sequence of them, or null.
/// Throws DataError on any other, and on special tokens that are not in the vocabulary.
PostProcessing read_post_processing(const JsonView& json, const Vocabulary& vocabulary);

}  // namespace wordsway
