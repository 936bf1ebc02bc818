// Byte-pair merging: which two neighbouring tokens join, in what order, and into what.
#pragma once

#include <string_view>
#include <vector>

#include "wordsway/text/flat_map.h"
#include "wordsway/text/vocabulary.h"

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

}  // namespace wordsway
