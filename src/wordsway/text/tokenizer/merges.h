// Byte-pair merging: which two neighbouring tokens join, in what order, and into what.
#pragma once

#include <array>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/flat_map.h"
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

  /// The same by the definition, O(n²): the oracle of apply.
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

}  // namespace wordsway
