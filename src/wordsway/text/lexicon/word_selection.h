// Which words of WordNet are synonyms, opposites and words alike.
//
// WordNet lists every sense of a word, and rare senses mislead: "celluloid" for film, "wish" for like. The counts of a
// tagged corpus say how much of its use a sense has, and a relation must hold for a fair share of the use of both
// words:
//
//   share of a sense   (count + ½/k) / Σ (count + ½/k), for the k-th sense
//   synonyms           words of a synset, where the product of the two shares is at least 0.55 and the synonym was met
//                      in that sense at least three times
//   opposites          words that WordNet links as antonyms in a sense that has 0.4 of the use (0.3 if it is the first)
//                      and is among the first three of the opposite, which was met in it three times or differs by a
//                      prefix alone; for an adjective without one, a common one of its head. Not for persons: a woman
//                      is not the opposite of a man, but someone else
//   words alike        if the first sense has 0.35 of the use; of nouns and verbs: hyponyms of the hypernym of the
//   first sense; of adjectives: the cluster around
//                      a head; of adverbs: those of the adjectives of a cluster. After these, for nouns the hyponyms of
//                      the next hypernym, and for all the commonest words of the same lexicographer file; for verbs
//                      those that have the verb's sentence frames
//
// Only words of lower-case ASCII letters, hyphens and apostrophes count. Slurs, obscenities and dialect are left out. A
// file of corrections adds and removes what readers found wrong.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsway/text/lexicon/wordnet.h"

namespace wordsway {

/// A word as one part of speech, and what it is related to.
struct RelatedWord {
  long count = 0;                                                // how often it was met
  std::vector<std::pair<long, std::string>> synonyms, antonyms;  // with their counts, the commonest first
  std::vector<std::uint32_t> groups;                             // of words alike
  std::uint32_t takes = 0, may_take = 0;                         // of verbs: verb_takes of the first sense, and of all
};

/// Words of one kind, and the wider kind that this one belongs to.
struct WordGroup {
  std::map<std::string, long> words;  // with their counts
  std::optional<std::uint32_t> parent;
};

struct WordSelection {
  std::map<std::pair<std::string, PartOfSpeech>, RelatedWord> words;
  std::vector<WordGroup> groups;
};

/// `corrections` is a table of tab-separated rows (word, part, relation, other, change): a relation is synonym or
/// antonym, a change add or remove; alike, * and remove leave a word without words alike; a word alone on its line is
/// removed from all lists. Throws DataError when a
/// correction names a word that WordNet does not have, or is not understood.
WordSelection select_words(const wordnet::Database& database, std::string_view corrections);

/// Whether a word is one that the lexicon may have.
bool is_plain_word(std::string_view word);

}  // namespace wordsway
