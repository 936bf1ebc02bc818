// Byte-pair encoding: which two neighbouring tokens join, in what order, and into what; and the words they join in.
#pragma once

#include <array>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/subword_model.h"
#include "wordsway/text/tokenizer/trie.h"
#include "wordsway/text/tokenizer/vocabulary.h"

namespace wordsway {

/// A token of a word and how many bytes of the word it covers.
struct Symbol {
  int id;
  int length;

  bool operator==(const Symbol&) const = default;
};

class Merges {
 public:
  /// Appends the rule that `left` and `right` join, ranked after all earlier ones. Not thread-safe.
  /// Throws DataError, prefixed with `where`, when one of the three tokens is not in the vocabulary.
  void add(std::string_view left, std::string_view right, const Vocabulary& vocabulary, std::string_view where);

  /// Joins neighbours until no rule applies, always by the rule of lowest rank, leftmost first. O(n log n).
  void apply(std::vector<Symbol>& word) const;

  /// Does what apply does by the definition, in O(n²): its oracle.
  void apply_reference(std::vector<Symbol>& word) const;

 private:
  int rule_of(int left, int right) const;  // its rank, or -1

  FlatMap rules_;             // (left, right) → rank
  std::vector<int> results_;  // rank → the token they join into
};

// Words that were cut before and their symbols: in running text nearly every word has been seen.

/// Thread-safe. Holds a bounded number of short words; which ones never changes a result.
class WordCache {
 public:
  /// Writes the symbols of `word` over `symbols` and returns true when they are known.
  bool find(std::string_view word, std::vector<Symbol>& symbols) const;

  void insert(std::string_view word, const std::vector<Symbol>& symbols);

 private:
  static constexpr std::size_t kShards = 16;
  static constexpr std::size_t kWordsPerShard = 8192;
  static constexpr std::size_t kMaxWordBytes = 64;

  struct Entry {
    std::string word;
    std::uint32_t begin, end;  // in the shard's symbols
  };
  struct Shard {
    mutable std::mutex mutex;
    FlatMap index;  // hash → entry; of two words with one hash the first stays
    std::vector<Entry> entries;
    std::vector<Symbol> symbols;
  };

  std::array<Shard, kShards> shards_;
};

/// merges.txt: "left right" a line; a line "#version: …" and empty ones are skipped.
Merges read_merge_lines(const std::filesystem::path& file, const Vocabulary& vocabulary);

/// Adds "left right". Throws DataError, prefixed with `where`, on anything but two parts.
void add_merge_line(std::string_view line, const Vocabulary& vocabulary, std::string_view where, Merges& merges);

/// A word while BPE works on it: its bytes, the characters they belong to, and the symbols they have joined into. Kept
/// from word to word, so that it is allocated once.
class BpeWord {
 public:
  /// Starts with a word of a text; `characters` must live as long as it is worked on.
  void start(CharacterSpan characters);

  const std::string& bytes() const { return bytes_; }

  /// Appends the pieces of the symbols, whose lengths are in bytes. A byte stands for all of its character.
  void append_pieces(int word, std::vector<Piece>& pieces) const;

  std::vector<Symbol> symbols;

 private:
  CharacterSpan characters_;
  std::string bytes_;
  std::vector<std::uint32_t> character_;  // that each byte belongs to
};

/// The id of the unknown token, −1 when there is none. Throws DataError, prefixed with `where`, when it is not in the
/// vocabulary.
int find_unknown_id(const Vocabulary& vocabulary, const std::optional<std::string>& token, std::string_view where);

}  // namespace wordsway
