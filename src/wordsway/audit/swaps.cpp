#include "wordsway/audit/swaps.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "wordsway/audit/embed.h"
#include "wordsway/core/cosine.h"
#include "wordsway/text/words/known_names.h"

namespace wordsway {
namespace {

// Two numbers, or two names of one group: a writer may use either.
bool are_of_a_kind(const std::string& a, const std::string& b) {
  const bool numbers = kind_of(a).kind == WordKind::Class::kNumber && kind_of(b).kind == WordKind::Class::kNumber;
  const NameGroup* const group = group_of(a);
  const bool is_name = group != nullptr && (group->told_by_word || without_case(a) != a);  // "may" is not a month
  return numbers || (is_name && group == group_of(b));
}

double how_well_it_fits(const std::string& replaced, const Substitution& one) {
  if (are_of_a_kind(replaced, one.replacement)) return 1;
  return std::max(std::sqrt(one.plausibility.value_or(0)), one.likeness.value_or(0));
}

// Vectors of words by themselves.
class WordVectors {
 public:
  void add(const std::string& word) { vectors_.emplace(word, RowF()); }

  void embed(const Model& model, const ModelOutput& output, const std::string& prompt) {
    std::vector<LabelledText> words;
    words.reserve(vectors_.size());
    for (const auto& [word, vector] : vectors_) words.push_back({word, std::nullopt, word});
    EmbedOptions options;
    options.output = output;
    const auto found = embed_texts(model, words, encode_texts(model, words, {.prompt = prompt}), options);
    for (size_t k = 0; k < words.size(); ++k) vectors_[words[k].text] = found[k].row(0);
  }

  double cosine(const std::string& a, const std::string& b) const {
    return cosine_of(vectors_.at(a), vectors_.at(b));
  }

 private:
  std::map<std::string, RowF> vectors_;
};

}  // namespace

std::vector<WordSwaps> swaps_within(double threshold, const Model& model, const ChangedText& text,
                                    std::span<const WordSubstitutions> found, const std::string& prompt) {
  const auto is_within = [&](const Substitution& one) { return *one.found.cosine >= threshold; };
  WordVectors alone;
  for (const WordSubstitutions& word : found) {
    alone.add(text.words()[word.word].text);
    for (const Substitution& one : word.found)
      if (is_within(one)) alone.add(one.replacement);
  }
  alone.embed(model, text.map().output(), prompt);

  std::vector<WordSwaps> result;
  for (const WordSubstitutions& word : found) {
    const std::string& replaced = text.words()[word.word].text;
    WordSwaps& swaps = result.emplace_back();
    swaps.word = word.word;
    swaps.evaluated = static_cast<Index>(word.found.size());
    for (const Substitution& one : word.found) {
      if (!is_within(one)) continue;
      const double by_itself = alone.cosine(replaced, one.replacement);
      swaps.swaps.push_back({one, by_itself, how_well_it_fits(replaced, one) * (1 - by_itself)});
    }
    std::ranges::stable_sort(swaps.swaps, [](const Swap& a, const Swap& b) { return a.harm > b.harm; });
  }
  const auto most_harm = [](const WordSwaps& one) { return one.swaps.empty() ? -1 : one.swaps.front().harm; };
  std::ranges::stable_sort(result, [&](const WordSwaps& a, const WordSwaps& b) { return most_harm(a) > most_harm(b); });
  return result;
}

}  // namespace wordsway
