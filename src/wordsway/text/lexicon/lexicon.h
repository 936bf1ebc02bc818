// What a language knows of a word: its part of speech in a sentence, the words that mean the same, the opposite, and
// the words of the same kind, in the form that the sentence needs.
//
// English is the one language so far (english_lexicon.cpp, from WordNet). A second one needs an implementation of
// Lexicon, a line in lexicon_of, and its tables in a folder of its own.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct LexiconEntry {
  /// noun, verb, adjective, adverb, or the name of a closed class, as preposition; nothing for a word that is not
  /// known.
  std::optional<std::string> part = {};
  std::string lemma = {};
  /// The commonest first, inflected like the word and with its capitals.
  std::vector<std::string> synonyms = {}, antonyms = {}, alike = {};
  std::string source = {};  // of the lists
  int form = 0;             // of the word; a number of the lexicon's own
};

using ByteRange = std::array<Index, 2>;  // [begin, end)

/// At most so many words alike are given for a word.
inline constexpr size_t kMostAlike = 24;

/// Thread-safe.
class Lexicon {
 public:
  virtual ~Lexicon() = default;

  virtual std::string_view language() const = 0;  // in English
  /// Of the words it has, for the identity of journals.
  virtual std::string digest() const = 0;
  /// As the part of speech that the word has most often.
  virtual LexiconEntry look_up(std::string_view word) const = 0;
  /// The words of a text, each as the part of speech that it has there; one entry for each range. What is not a whole
  /// word of the text is not known.
  virtual std::vector<LexiconEntry> look_up(std::string_view text, std::span<const ByteRange> words) const = 0;
  /// Where the words of a text are.
  virtual std::vector<ByteRange> words(std::string_view text) const = 0;
  /// Where a word first stands in a text, whatever its case; nothing where it does not.
  std::optional<ByteRange> find(std::string_view text, std::string_view word) const;
  /// The article as it must be before `replacement`, where `article` stands before the word: "an" before "excellent".
  virtual std::string article_before(std::string_view article, std::string_view replacement) const = 0;
  /// Whether a word may be what an entry is: the same part of speech in the same form, or the same small class.
  virtual bool could_be(std::string_view word, const LexiconEntry& entry) const = 0;
  /// Whether a text is in this language, as far as its words tell.
  virtual bool reads(std::string_view text) const = 0;
};

const Lexicon& english_lexicon();

/// The lexicon of the language of a text, or null.
const Lexicon* lexicon_of(std::string_view text);

}  // namespace wordsway
