// What kind of word something is, and which whole words a vocabulary has.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// Words of one kind can stand in each other's place: letters of one script, numbers, or punctuation.
struct WordKind {
  enum class Class { kLetters, kNumber, kPunctuation, kOther };
  Class kind = Class::kOther;
  int script = 0;  // of letters; any number, the same for letters of one script

  bool operator==(const WordKind&) const = default;
};

/// Letters (an apostrophe or hyphen may stand between two of them), digits alone, punctuation alone; all else is other.
WordKind kind_of(std::string_view word);

/// A token that is a word by itself.
struct WholeWord {
  int id;
  std::string text;
  WordKind kind;
  std::string folded;  // without_case(text)
  bool is_letter;      // one letter of an alphabet, which is seldom a word
};

/// The tokens of a vocabulary that are words, numbers or punctuation, in the order of their ids: those that the
/// tokenizer makes of their own text when it stands behind a space.
std::vector<WholeWord> whole_words(const Tokenizer& tokenizer);

/// A key for the word, equal for words that differ in case alone.
std::string without_case(std::string_view word);

/// `word` with the capitals of `pattern`: all of them, the first one, or as it is. Words that have capitals of their
/// own stay.
std::string with_capitals_of(std::string_view pattern, std::string_view word);

}  // namespace wordsway
