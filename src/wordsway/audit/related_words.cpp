#include "wordsway/audit/related_words.h"

#include <algorithm>
#include <cstdlib>

namespace wordsway {
namespace {

// The words of the vocabulary whose ids are nearest to that of the word.
std::vector<std::string> of_similar_frequency(const CandidateWords& candidates, const Word& word, int id) {
  std::vector<Candidate> all = candidates.all(word);
  const WordKind kind = kind_of(word.text);
  std::erase_if(all, [&](const Candidate& one) { return kind_of(one.text) != kind; });
  const auto nearest = all.begin() + static_cast<long>(std::min(kMostAlike, all.size()));
  std::partial_sort(all.begin(), nearest, all.end(), [&](const Candidate& a, const Candidate& b) {
    const int to_a = std::abs(*a.id - id), to_b = std::abs(*b.id - id);
    return to_a != to_b ? to_a < to_b : *a.id < *b.id;
  });
  std::vector<std::string> words;
  for (auto one = all.begin(); one != nearest; ++one) words.emplace_back(one->text);
  return words;
}

}  // namespace

std::vector<LexiconEntry> related_words(const CandidateWords& candidates, const std::string& text,
                                        const Encoding& encoding) {
  const std::vector<Word> words = words_of(text, encoding);
  if (const Lexicon* const lexicon = lexicon_of(text)) return lexicon->look_up(text, places_of(words));
  std::vector<LexiconEntry> entries;
  for (const Word& word : words) {
    entries.push_back({.lemma = word.text});
    if (word.tokens.size() != 1) continue;
    entries.back().alike =
        of_similar_frequency(candidates, word, encoding.ids[static_cast<size_t>(word.tokens.front())]);
    entries.back().source = "vocabulary of the model";
  }
  return entries;
}

std::vector<Candidate> candidates_of(const LexiconEntry& entry, Relation relation) {
  const auto& words = relation == Relation::kSynonym   ? entry.synonyms
                      : relation == Relation::kAntonym ? entry.antonyms
                                                       : entry.alike;
  std::vector<Candidate> result;
  result.reserve(words.size());
  for (const std::string& word : words) result.push_back({.text = word, .relation = relation});
  return result;
}

WordEdit edit_by_lexicon(const Lexicon* lexicon, const ChangedText& text, size_t word, std::string replacement) {
  WordEdit edit{word, std::move(replacement)};
  if (lexicon == nullptr || word == 0) return edit;
  const Word &before = text.words()[word - 1], &own = text.words()[word];
  const std::string right = lexicon->article_before(before.text, edit.replacement);
  const auto end = static_cast<size_t>(before.bytes[1]);
  const bool adjoin = own.bytes[0] == before.bytes[1] + 1 && text.text()[end] == ' ';
  if (adjoin && right != before.text) edit.article = right;
  return edit;
}

}  // namespace wordsway
