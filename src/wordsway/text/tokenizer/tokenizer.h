// Text to tokens, with the place of every token in the text: what `wordsway tokenize` prints and models read. And back.
//
// Ids, pieces, words and offsets equal those of the Python `tokenizers` library for the same files.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/io/source_files.h"

namespace wordsway {

/// One entry a token in every vector.
struct Encoding {
  std::vector<int> ids;
  // As in the vocabulary ("##ing", "Ġthe", "▁the"); of added tokens and Unigram's unknown ones the text that matched.
  std::vector<std::string> pieces;
  std::vector<std::optional<int>> words;           // index of the word; nothing for tokens the template adds
  std::vector<std::array<Index, 2>> offsets;       // [begin, end) in code points of the text; [0, 0) when added
  std::vector<std::array<Index, 2>> byte_offsets;  // the same in bytes
  bool cut = false;                                // whether tokens were left out because of max_tokens

  Index size() const { return static_cast<Index>(ids.size()); }
};

struct EncodeOptions {
  bool special_tokens = true;            // [CLS] … [SEP], <s> … </s>, or whatever the template says
  std::optional<Index> max_tokens = {};  // keeps the first ones, and room for the special tokens
};

/// The ids of tokens with a role, where the tokenizer has them.
struct SpecialIds {
  std::optional<int> mask, padding, unknown, classification, separator;
  std::optional<int> begin_of_text, end_of_text;
};

struct TokenizerParts;

/// Thread-safe: one tokenizer may encode from several threads at once.
class Tokenizer {
 public:
  /// `files` are those that the parts came from, where they came from any.
  explicit Tokenizer(TokenizerParts parts, std::vector<SourceFile> files = {});
  ~Tokenizer();

  /// Bytes that are not UTF-8 count as U+FFFD. Throws UsageError when max_tokens leaves no room for the special tokens.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;

  /// The number of tokens that encode would give.
  Index count_tokens(std::string_view text, bool special_tokens = true) const;

  /// The text that the ids stand for, by the "decoder" of tokenizer.json; without special tokens when `skip_special`.
  /// Equal to that of the Python library, down to U+FFFD for bytes that are not UTF-8. Ids without a token count for
  /// nothing: models may have more ids than their tokenizer. Throws DataError when the decoder is not supported.
  std::string decode(std::span<const int> ids, bool skip_special = true) const;

  /// "WordPiece", "byte-level BPE", "SentencePiece BPE" or "Unigram".
  std::string_view kind() const;

  /// One more than the largest id.
  int vocabulary_size() const;
  std::optional<int> id_of(std::string_view piece) const;
  bool has_id(int id) const;
  /// Throws DataError when no token has this id.
  const std::string& piece(int id) const;
  /// The bytes of text that a token stands for, without marks such as "##", "Ġ" or "▁"; of byte-level tokens they may
  /// be a part of a character.
  std::string surface(int id) const;

  const SpecialIds& special_ids() const;
  /// How many tokens the template adds.
  Index special_token_count() const;

  /// The longest input the model takes, special tokens included, as tokenizer_config.json says (model_max_length).
  std::optional<Index> max_length() const;
  /// The length that tokenizer.json itself cuts at; a setting of whoever saved it, which encode does not apply.
  std::optional<Index> saved_truncation() const;

  /// What this tokenizer is, by content: the digests of its files. Throws UsageError when it did not come from files.
  Record content() const;

 private:
  friend class TextStream;

  std::unique_ptr<const TokenizerParts> parts_;
  FileContent files_;
};

/// Sets a tokenizer up from a Hugging Face folder: from tokenizer.json, else vocab.txt (WordPiece), else vocab.json and
/// merges.txt (byte-level BPE). tokenizer_config.json and special_tokens_map.json are read when they are there. Or from
/// the keys of a GGUF file, FILE.gguf (text/tokenizer/gguf_tokenizer.h).
/// With `lower_case` texts are lower-cased first, whatever these files say. Throws DataError naming the file and the
/// fault, FileError when a file cannot be read.
std::unique_ptr<Tokenizer> load_tokenizer(const std::filesystem::path& folder, bool lower_case = false);

/// From the bytes of a tokenizer.json alone; `name` is what errors call it.
std::unique_ptr<Tokenizer> parse_tokenizer_json(std::string_view bytes, std::string name);

/// Encodes all texts, in parallel. Equal to encoding them one by one.
std::vector<Encoding> encode_all(const Tokenizer& tokenizer, std::span<const std::string> texts,
                                 const EncodeOptions& options = {});

}  // namespace wordsway
