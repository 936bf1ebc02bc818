// The forms of English words: films of film, bought of buy, slower of slow. Irregular ones come from the table of words
// and from data/irregular_verbs.tsv, the rest from rules of spelling.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/lexicon/lexicon_table.h"

namespace wordsway {

enum class WordForm {
  kBase,         // film, buy, slow
  kPlural,       // films
  kThirdPerson,  // buys
  kPast,         // bought, gave
  kParticiple,   // bought, given
  kGerund,       // buying
  kComparative,  // slower
  kSuperlative   // slowest
};

/// One way of reading a word.
struct WordReading {
  LexiconTable::WordId lemma;
  PartOfSpeech part;
  WordForm form;
};

/// All readings of a lower-case word; none when no lemma of it is known. A word that is a past and a participle has
/// both readings.
std::vector<WordReading> readings_of(const LexiconTable& table, std::string_view word);

/// The form of a lemma. Nothing where English uses more than one word ("more interesting").
std::optional<std::string> inflected(const LexiconTable& table, LexiconTable::WordId lemma, PartOfSpeech part,
                                     WordForm form);

/// Whether "an" and not "a" stands before a word; by its letters, with the usual exceptions ("hour", "university").
bool begins_with_vowel_sound(std::string_view word);

}  // namespace wordsway
