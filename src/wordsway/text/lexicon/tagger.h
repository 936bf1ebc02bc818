// The parts of speech of the words of an English sentence: a hidden Markov model whose words come from the lexicon and
// whose transitions are a table, data/tag_bigrams.tsv. tests/text/lexicon_test.cpp measures it on words
// that were tagged one by one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "wordsway/text/lexicon/inflection.h"
#include "wordsway/text/lexicon/surroundings.h"

namespace wordsway {

struct TaggedWord {
  size_t begin, end;  // its bytes in the text
  bool begins_sentence;
  /// Nothing for a word of a closed class, a number and punctuation.
  std::optional<PartOfSpeech> part = {};
  std::string_view role = {};  // determiner, pronoun or conjunction, where "that" and "her" may be two of these
  Surroundings around = Surroundings::kPlain;
  WordForm verb_form = WordForm::kBase;  // of verbs: a form in -ed may be a past or a participle
};

/// The words and marks of a text in their order. `table` must outlive the call.
std::vector<TaggedWord> tag_words(const LexiconTable& table, std::string_view text);

}  // namespace wordsway
