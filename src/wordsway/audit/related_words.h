// What the lexicon has for the words of a text: synonyms, opposites and words alike, as candidates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wordsway/audit/candidates.h"
#include "wordsway/text/lexicon/lexicon.h"

namespace wordsway {

/// The entries of all words of a text. Where no lexicon reads the text's language, words alike are the model's own
/// whole words of the same kind and of similar frequency: those whose ids are nearest, since vocabularies are sorted by
/// it.
std::vector<LexiconEntry> related_words(const CandidateWords& candidates, const std::string& text,
                                        const Encoding& encoding);
inline std::vector<LexiconEntry> related_words(const CandidateWords& candidates, const ChangedText& text) {
  return related_words(candidates, text.text(), text.encoding());
}

/// One of the three lists as candidates: views of the entry, which must outlive them.
std::vector<Candidate> candidates_of(const LexiconEntry& entry, Relation relation);

/// The edit that puts a word of the lexicon into a text: "a" or "an" before it is adjusted. Without a lexicon, just the
/// replacement.
WordEdit edit_by_lexicon(const Lexicon* lexicon, const ChangedText& text, size_t word, std::string replacement);

}  // namespace wordsway
