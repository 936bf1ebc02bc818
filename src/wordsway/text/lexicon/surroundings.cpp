#include "wordsway/text/lexicon/surroundings.h"

namespace wordsway {
namespace {

using namespace tags;

bool is_verb(Tag tag) {
  return tag == kVB || tag == kVZ || tag == kVD || tag == kVG;
}

// Whether a word denies what its sentence says, or leaves it open.
bool is_negative(std::string_view word) {
  return is_one_of(word, {"no", "none", "nobody", "nothing", "never", "any", "anybody", "anyone", "anything"});
}

// Whether a word behind a verb belongs to it. What may be a preposition is one before a noun.
bool is_particle(std::string_view word, Tag after) {
  if (is_one_of(word, {"up", "down", "off", "out", "away", "back", "apart"})) return true;
  const bool before_noun = after == kD || after == kN || after == kA || after == kQ;
  return !before_noun && is_one_of(word, {"on", "in", "over", "around", "along", "through", "about", "across"});
}

bool begins_noun_phrase(Tag tag) {
  return tag == kD || tag == kN || tag == kQ || tag == kA || tag == kG;
}

// Whether a noun comes after adjectives that stand here: "long and boring film".
bool leads_to_noun(const TaggedPlace& place, size_t ahead) {
  while (place.tag(ahead) == kA || place.tag(ahead) == kC || place.tag(ahead) == kR || place.tag(ahead) == kQ) ++ahead;
  return place.tag(ahead) == kN;
}

Surroundings around_verb(const TaggedPlace& place) {
  using enum Surroundings;
  if (is_one_of(place.previous, {"quite", "very", "so", "too", "rather", "pretty", "really", "most"}))
    return kNothingFits;  // "quite gripping" is an adjective
  if (place.is_passive) return kObject;
  size_t ahead = 1;
  while (place.tag(ahead) == kR) ++ahead;
  const Tag next = place.tag(ahead);
  if (next == kT) return place.tag(ahead + 1) == kVB ? kInfinitive : kNothing;
  if (next == kW || (next == kC && place.next == "that")) return kClause;
  if (next == kA && !leads_to_noun(place, ahead)) return kNothingFits;
  if (is_verb(next)) return kNothingFits;
  if (next != kS && !begins_noun_phrase(next)) return kNothing;
  // "leaves you speechless", "makes the film seem long"
  if (next == kS) ++ahead;
  while (next != kS && begins_noun_phrase(place.tag(ahead))) ++ahead;
  const Tag after = place.tag(ahead);
  const bool goes_on = after == kVB || after == kA || (next == kS && (after == kVD || after == kVG || after == kD));
  return goes_on ? kNothingFits : kObject;
}

Surroundings around_adjective(const TaggedPlace& place) {
  using enum Surroundings;
  if (leads_to_noun(place, 1)) return kPlain;
  const Tag next = place.tag(1);
  if ((place.begins_sentence || place.before() == kMark) && next == kMark) return kNothingFits;  // "Overall, …"
  size_t back = 1;
  while (place.back(back) == kA) ++back;
  const Tag before = place.back(back);
  // "the animated short", "nothing whatsoever", "at best"
  if (before == kD || before == kQ || before == kN || before == kP) return kNothingFits;
  if (next == kT || next == kW || next == kS || next == kD || next == kP) return kNothingFits;  // "sure why", "fond of"
  return place.next == "that" || place.next == "than" ? kNothingFits : kPlain;
}

Surroundings around_noun(const TaggedPlace& place) {
  if (place.tag(1) == kN) return Surroundings::kOnlyAlike;
  // "to perfection", "day and night": without an article, few nouns are grammatical.
  size_t back = 1;
  while (place.back(back) == kA || place.back(back) == kN || place.back(back) == kG) ++back;
  const Tag before = place.back(back);
  const bool is_bare = before != kD && before != kQ && !place.word.ends_with('s');
  return is_bare ? Surroundings::kNothingAlike : Surroundings::kPlain;
}

Surroundings around_preposition(const TaggedPlace& place) {
  using enum Surroundings;
  if (place.tag(0) == kT || place.tag(1) == kMark || place.tag(1) == kC) return kNothingFits;  // "it is over"
  if (place.before() == kP || place.next == "with") return kNothingFits;                       // "in between"
  // "in love with", "shared with", "wrong with": it belongs to the word before.
  const bool belongs = (place.before() != kN && place.before() != kMark) || place.previous == "love";
  if (place.word == "with" && belongs) return kOnlyAlike;
  if (place.word == "about" && place.tag(1) == kQ) return kNothingFits;  // "about 100"
  if (place.tag(1) == kVG) return kNothingAlike;                         // "before leaving"
  const bool may_belong =
      is_one_of(place.word, {"up", "down", "off", "out", "on", "in", "over", "around", "along", "through"});
  return is_verb(place.before()) && may_belong ? kNothingFits : kPlain;
}

Surroundings around_conjunction(const TaggedPlace& place) {
  using enum Surroundings;
  if (place.next == "of" || place.tag(1) == kMark) return kNothingFits;
  if (is_one_of(place.previous, {"even", "as", "what", "only"})) return kNothingFits;
  if (place.next == "so") return kNothingFits;  // "or so"
  if (is_one_of(place.word, {"and", "or", "but"})) return kPlain;
  const Tag next = place.tag(1);
  const bool has_subject =
      next == kS || next == kD || next == kN || next == kQ || (next == kA && leads_to_noun(place, 1));
  return has_subject ? kPlain : kNothingFits;
}

Surroundings around_auxiliary(const TaggedPlace& place) {
  using enum Surroundings;
  const Tag before = place.before();
  if (before == kM || before == kT || before == kB || before == kH) return kNothingFits;  // "could have"
  if (place.begins_sentence || before == kW) return kOnlyAlike;                           // "Is it legal?"
  if (is_negative(place.next) || is_one_of(place.next, {"not", "hardly"})) return kOnlyAlike;
  if (is_negative(place.previous) || place.previous == "one") return kOnlyAlike;  // "no one"
  size_t ahead = 1;
  while (place.tag(ahead) == kR) ++ahead;
  const Tag next = place.tag(ahead);
  if (place.tag(0) == kH && next != kVD && next != kB) return kOnlyAlike;  // "I have no idea"
  const bool does = is_one_of(place.word, {"do", "does", "did"});
  if (does && next != kVB) return kOnlyAlike;
  const bool agrees_in_number = !(place.word == "was" && place.previous == "i") &&
                                !(place.word == "were" && is_one_of(place.previous, {"i", "he", "she", "it"}));
  return agrees_in_number ? kPlain : kNothingAlike;
}

Surroundings around_determiner(const TaggedPlace& place) {
  using enum Surroundings;
  if (place.next == "or" || place.previous == "or") return kNothingFits;  // "more or less"
  if (place.tag(0) == kD && place.next == "one") return kNothingFits;     // "no one"
  if (place.word == "one" && place.before() == kD) return kNothingFits;
  if (is_one_of(place.word, {"few", "most"}) && place.before() == kD) return kNothingFits;  // "for the most part"
  if (is_one_of(place.word, {"more", "less"}) && is_negative(place.previous)) return kNothingFits;
  if (place.word == "all") {
    const Tag next = place.tag(1);
    if (next != kN && next != kD && place.next != "of") return kNothingFits;  // "they all laughed", "at all"
    if (!place.begins_sentence || next != kN) return kOnlyAlike;
  }
  if (is_one_of(place.word, {"these", "those"}) && !leads_to_noun(place, 1)) return kNothingFits;  // "those who"
  if (place.next == "of" || place.tag(1) == kD) return kOnlyAlike;                                 // "all of them"
  const Tag before = place.before();
  const bool is_object = before == kP || before == kT || is_verb(before);
  return place.tag(0) == kS && is_object ? kObject : kPlain;
}

// Prepositions without a noun may be tagged as adverbs.
Surroundings around_adverb(const TaggedPlace& place) {
  if (is_one_of(place.word, {"up", "down", "off", "out", "on", "in", "over", "around", "along", "about", "through",
                             "before", "after"}))
    return Surroundings::kNothingFits;
  if (place.previous == "as") return Surroundings::kNothingFits;  // "as always"
  const bool is_degree =
      is_one_of(place.word, {"really", "very", "quite", "rather", "fairly", "pretty", "extremely", "highly"});
  if (is_degree && place.tag(1) != kA && place.tag(1) != kR) return Surroundings::kNothingFits;
  return Surroundings::kPlain;
}

}  // namespace

Surroundings surroundings(const TaggedPlace& place) {
  if (is_one_of(place.word, {"all", "both", "more", "most", "less", "least", "much", "enough"}))
    return around_determiner(place);
  if (is_verb(place.tag(0)) && is_particle(place.next, place.tag(2))) return Surroundings::kNothingFits;
  switch (place.tag(0)) {
    case kN:
      return around_noun(place);
    case kVB:
    case kVZ:
    case kVD:
    case kVG:
      return around_verb(place);
    case kA:
      return around_adjective(place);
    case kP:
    case kT:
      return around_preposition(place);
    case kC:
      return around_conjunction(place);
    case kB:
    case kH:
    case kM:
      return around_auxiliary(place);
    case kD:
    case kS:
    case kQ:
      return around_determiner(place);
    case kR:
      return around_adverb(place);
    case kG:
      // "the very beginning", "I really would"
      return place.tag(1) == kA || place.tag(1) == kR || place.tag(1) == kD ? Surroundings::kPlain
                                                                            : Surroundings::kNothingFits;
    default:
      return Surroundings::kPlain;
  }
}

}  // namespace wordsway
