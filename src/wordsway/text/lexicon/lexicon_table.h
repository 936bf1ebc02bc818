// The table of words in which a lexicon is kept: what the build writes (lexicon_writer.h) and the library reads.
//
// All of it is bytes of the program, used as they lie there: nothing is read or unpacked when the program starts, and a
// lookup is a binary search. The parts, in their order, with the numbers of this machine:
//
//   header     counts of words, groups and forms, and bytes of the lists and of the texts
//   words      [words + 1]: where the text and the lists begin; sorted by text
//   groups     [groups]: where their lists begin
//   forms      irregular forms, sorted by text: the text, its lemma and part
//   by lemma   [forms]: the numbers of the forms, sorted by lemma
//   lists      numbers of 7 bits a byte. Of a word, for each part of speech: the part with marks for which of the
//              following are there, the count, what a verb takes (in its first sense, and in any), synonyms, antonyms
//              and groups, each of these with how many there are; of a group: its parent + 1, and its words
//   texts      without spaces between them
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wordsway/text/lexicon/part_of_speech.h"

namespace wordsway {

/// The layout of the bytes.
namespace lexicon_layout {

inline constexpr std::uint32_t kMark = 0x32584c57;  // "WLX2"

struct Header {
  std::uint32_t mark, words, groups, forms, list_bytes, text_bytes;
};
struct WordRow {
  std::uint32_t text, lists;
};
/// Marks beside the part of speech.
inline constexpr std::uint32_t kCounted = 4, kHasSynonyms = 8, kHasAntonyms = 16, kHasGroups = 32, kTakes = 64;
struct FormRow {
  std::uint32_t text, lemma;
  std::uint16_t length, part;
};

}  // namespace lexicon_layout

/// The table that the build makes of WordNet and puts into the library.
std::span<const std::byte> lexicon_bytes();

/// A view of a table. Cheap to copy; thread-safe.
class LexiconTable {
 public:
  using WordId = std::uint32_t;

  /// A word as one part of speech.
  struct Entry {
    WordId word;
    PartOfSpeech part;
    long count = 0;                          // how often it was met in a tagged corpus; 0 for most words
    std::uint32_t takes = 0, may_take = 0;   // of verbs: verb_takes of the first sense, and of all
    std::vector<WordId> synonyms, antonyms;  // the commonest first
    std::vector<std::uint32_t> groups;       // of words alike
  };

  /// Throws InternalError when these are not the bytes of a table.
  explicit LexiconTable(std::span<const std::byte> bytes);

  size_t size() const { return words_.size() - 1; }
  std::string_view text(WordId word) const;
  std::optional<WordId> find(std::string_view text) const;
  /// One for each part of speech that the word has.
  std::vector<Entry> entries(WordId word) const;
  std::optional<Entry> entry(WordId word, PartOfSpeech part) const;

  /// Up to `most` words of the same kind, none of them a synonym or an antonym: the nearest kind first, and the
  /// commonest words of a kind first.
  std::vector<WordId> alike(const Entry& entry, size_t most) const;

  /// The lemmas of an irregular form, as "buy" of "bought".
  std::vector<WordId> lemmas_of(std::string_view form, PartOfSpeech part) const;
  /// The irregular forms of a lemma.
  std::vector<std::string_view> forms_of(WordId lemma, PartOfSpeech part) const;

 private:
  std::span<const lexicon_layout::WordRow> words_;
  std::span<const std::uint32_t> groups_;
  std::span<const lexicon_layout::FormRow> forms_;
  std::span<const std::uint32_t> by_lemma_;
  std::span<const std::byte> lists_;
  std::string_view texts_;
};

}  // namespace wordsway
