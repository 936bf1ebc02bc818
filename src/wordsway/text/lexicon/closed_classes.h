// The words of which English has few: negations, quantifiers, modal verbs, pronouns, prepositions, numbers, units and
// others (data/closed_classes.tsv), with the groups of names of text/words/known_names.h. Each group says whether its
// members keep a meaning, turn it, or change a detail when they stand in each other's place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

/// An opposite that holds behind some verbs: "turn on", "turn off".
struct VerbOpposite {
  std::vector<std::string> verbs;
  std::string antonym;
};

struct ClosedWord {
  std::string_view name;                                              // of the class: "preposition", "weekday"
  std::vector<std::string> synonyms = {}, antonyms = {}, alike = {};  // in the order of the table
  std::vector<VerbOpposite> after = {};
};

/// What is known of a lower-case word as a member of a closed class; nothing for other words.
const ClosedWord* closed_word(std::string_view word);

/// The same for a name, of which `word` has the capitals ("May", "Paris"); and for weekdays and others that are names
/// without capitals too.
std::optional<ClosedWord> name_word(std::string_view word);

/// The same for digits: numbers near by.
std::optional<ClosedWord> number_word(std::string_view word);

}  // namespace wordsway
