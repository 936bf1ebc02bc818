// What stands around a word of an English sentence, as far as it decides which words are grammatical in its place, or
// can keep or turn its meaning. Where nothing is certain, fewer words are suggested.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace wordsway {

/// What stands around a word, as far as it decides which words are grammatical in its place.
enum class Surroundings {
  kPlain,
  kObject,        // of a verb: an object, or it is a passive; of a pronoun: it is an object
  kNothing,       // of a verb: no object
  kInfinitive,    // of a verb: "to" and another verb
  kClause,        // of a verb: "that" or a question word
  kOnlyAlike,     // nothing keeps or turns the meaning: "film star", "have no idea"
  kNothingAlike,  // no word alike is grammatical: "to perfection"
  kNothingFits,   // a set phrase, or a construction of few words: "leaves you speechless", "turns up", "the original"
};

/// The tags of the tagger.
namespace tags {

// In the order of data/tag_bigrams.tsv, which says what they stand for.
enum Tag { kN, kVB, kVZ, kVD, kVG, kA, kR, kD, kP, kT, kC, kS, kM, kB, kH, kG, kW, kQ, kMark, kTags };

}  // namespace tags

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// A tagged word among its neighbours.
struct TaggedPlace {
  std::span<const tags::Tag> all;  // of the words that count: "not" changes nothing for its neighbours
  size_t at;
  std::string_view word, previous, next;  // in lower case, "not" included
  bool begins_sentence, is_passive;

  tags::Tag tag(size_t ahead) const { return at + ahead < all.size() ? all[at + ahead] : tags::kMark; }
  tags::Tag back(size_t by) const { return at >= by ? all[at - by] : tags::kMark; }
  tags::Tag before() const { return back(1); }
};

Surroundings surroundings(const TaggedPlace& place);

}  // namespace wordsway
