#include "wordsway/audit/words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "wordsway/audit/related_words.h"
#include "wordsway/audit/substitute.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

// The mean of changes, and of cosines and divergences if there are any.
std::optional<TextChange> mean_of(std::span<const Substitution> found) {
  if (found.empty()) return std::nullopt;
  TextChange mean;
  if (found.front().found.cosine) mean.cosine = 0;
  if (found.front().found.divergence) mean.divergence = 0;
  const auto count = static_cast<double>(found.size());
  for (const Substitution& one : found) {
    mean.change += one.found.change / count;
    if (mean.cosine) *mean.cosine += *one.found.cosine / count;
    if (mean.divergence) *mean.divergence += *one.found.divergence / count;
  }
  return mean;
}

// Replacements that fit, the worst one, and the word left out.
class Replacements {
 public:
  Replacements(const CandidateWords& candidates, const ChangedText& text, const WordOptions& options)
      : candidates_(candidates), text_(text), options_(options), numbers_(text.words().size()) {
    std::iota(numbers_.begin(), numbers_.end(), size_t{0});
  }

  void fill(std::vector<WordEffect>& words, const Progress& progress, const SeeWord& see) const {
    const Stream stream = Stream(options_.seed).derive("replacements");
    const std::vector<LexiconEntry> entries = related_words(candidates_, text_);
    const auto fitting = fitting_words(entries, stream);
    const auto typical = see ? typical_one_by_one(fitting, words, progress, see)
                             : evaluate_substitutions(text_, numbers_, fitting, progress);
    const auto worst = options_.source == CandidateSource::kAll ? search_worst(typical, stream, progress)
                                                                : std::vector<WordSubstitutions>(numbers_.size());
    std::vector<WordEdit> left_out;
    for (const size_t word : numbers_) left_out.push_back({word, ""});
    const auto dropped = text_.evaluate(left_out);
    const auto commonest = evaluate_commonest(entries);
    for (const size_t w : numbers_) {
      words[w].typical = mean_of(typical[w].found);
      words[w].dropped = dropped[w];
      for (const Substitution& one : commonest[w].found) {
        const bool synonym = one.relation == Relation::kSynonym;
        (synonym ? words[w].synonym : words[w].antonym) = one.replacement;
        (synonym ? words[w].by_synonym : words[w].by_antonym) = one.found;
      }
      for (const auto* list : {&typical[w].found, &worst[w].found}) {
        if (list->empty()) continue;
        if (words[w].worst && words[w].worst->magnitude() >= list->front().found.magnitude()) continue;
        words[w].worst = list->front().found;
        words[w].worst_word = list->front().replacement;
      }
      if (see) see(words[w]);
    }
  }

 private:
  // For every word, the candidates that its typical change is the mean of: views of the entries.
  std::vector<std::vector<Candidate>> fitting_words(const std::vector<LexiconEntry>& entries,
                                                    const Stream& stream) const {
    using enum CandidateSource;
    if (options_.source == kAll || options_.source == kPlausible)
      return candidates_.plausible(text_.text(), text_.words(), options_.replacements, stream,
                                   options_.source == kAll ? CandidateWords::Kind::kAny : CandidateWords::Kind::kSame);
    std::vector<std::vector<Candidate>> result(numbers_.size());
    for (const size_t w : numbers_) {
      if (options_.source == kGiven)
        result[w] = given_candidates(options_.given, text_.words()[w].text);
      else
        result[w] = candidates_of(entries[w], *relation_of(options_.source));
    }
    return result;
  }

  std::vector<WordSubstitutions> search_worst(const std::vector<WordSubstitutions>& typical, const Stream& stream,
                                              const Progress& progress) const {
    ReplacementSearch search;
    search.evaluations = 2 * options_.replacements;
    search.bases = 4;
    search.round = std::max<Index>(1, options_.replacements / 2);
    return search_substitutions(text_, numbers_, candidates_, search, stream.derive("worst"), progress, typical);
  }

  // The commonest synonym and the commonest opposite of every word.
  std::vector<WordSubstitutions> evaluate_commonest(const std::vector<LexiconEntry>& entries) const {
    std::vector<std::vector<Candidate>> commonest(numbers_.size());
    for (const size_t w : numbers_)
      for (const Relation relation : {Relation::kSynonym, Relation::kAntonym})
        if (const auto all = candidates_of(entries[w], relation); !all.empty()) commonest[w].push_back(all.front());
    return evaluate_substitutions(text_, numbers_, commonest);
  }

  std::vector<WordSubstitutions> typical_one_by_one(const std::vector<std::vector<Candidate>>& fitting,
                                                    std::vector<WordEffect>& words, const Progress& progress,
                                                    const SeeWord& see) const {
    std::vector<WordSubstitutions> result;
    ProgressCounter counter(progress, "words", static_cast<double>(numbers_.size()));
    for (const size_t w : numbers_) {
      result.push_back(evaluate_substitutions(text_, std::span(&w, 1), std::span(&fitting[w], 1)).front());
      words[w].typical = mean_of(result.back().found);
      see(words[w]);
      counter.step();
    }
    return result;
  }

  const CandidateWords& candidates_;
  const ChangedText& text_;
  const WordOptions& options_;
  std::vector<size_t> numbers_;
};

// The text's embedding, whose tokens are moved one by one.
class Ball {
 public:
  Ball(const ChangedText& text, const WordOptions& options)
      : options_(options),
        sample_(text.map().at(text.model().transformer->embed(text.encoding().ids).cast<double>())) {}

  void search(std::vector<WordEffect>& words, const Progress& progress) const {
    std::vector<Index> tokens;
    for (const WordEffect& word : words) tokens.insert(tokens.end(), word.word.tokens.begin(), word.word.tokens.end());
    const std::vector<double> measured = measure(tokens, progress);
    auto found = measured.begin();
    for (WordEffect& word : words) {
      const auto end = found + static_cast<long>(word.word.tokens.size());
      const auto most = std::max_element(found, end);
      word.sensitivity = *most;
      word.token = word.word.tokens[static_cast<size_t>(most - found)];
      found = end;
    }
  }

 private:
  // Tokens are measured side by side, each on one thread: the products of a short text are too small to share out.
  std::vector<double> measure(const std::vector<Index>& tokens, const Progress& progress) const {
    const Stream stream = Stream(options_.seed).derive("words");
    if (options_.ball == BallSearch::kFull)
      return measure_tokens(*sample_, tokens, options_.search, stream, progress).sensitivities;
    std::vector<double> found(tokens.size());
    ProgressCounter counter(progress, "tokens", static_cast<double>(tokens.size()));
    for_each_search(*sample_, static_cast<Index>(tokens.size()), [&](Index k) {
      const Index token = tokens[static_cast<size_t>(k)];
      found[static_cast<size_t>(k)] =
          estimate_token_by_power(*sample_, token, radius_of(token), kPowerIterations, stream);
      counter.step();
    });
    return found;
  }

  double radius_of(Index token) const { return options_.search.radius.of(sample_->X().row(token)); }

  const WordOptions& options_;
  std::unique_ptr<MappedSample> sample_;
};

}  // namespace

void choose_ball(WordOptions& options, const BallChoice& choice) {
  if (choice.full && choice.fast) throw UsageError("--fast and --ball are two ways of searching: give one of them");
  if (choice.full || choice.builtin) options.ball = BallSearch::kFull;
  if (choice.fast) options.ball = BallSearch::kPower;
  // Unasked, it should not keep people waiting.
  if (!options.search.starts) options.search.starts = choice.full ? kBallStarts : 1;
  if (!choice.full && !options.search.tolerance) options.search.tolerance = 1e-3;
}

std::vector<WordEffect> word_effects(const CandidateWords& candidates, const ChangedText& text,
                                     const WordOptions& options, const Progress& progress, const SeeWord& see) {
  std::vector<WordEffect> result;
  for (const Word& word : text.words()) {
    result.push_back({word});
    result.back().token = word.tokens.front();
  }
  if (result.empty()) return result;
  if (options.replacements > 0) Replacements(candidates, text, options).fill(result, progress, see);
  if (options.ball != BallSearch::kNone) Ball(text, options).search(result, progress);
  return result;
}

std::vector<WordEffect> word_effects(const Model& model, const std::string& text, const WordOptions& options,
                                     const Model* head) {
  const CandidateWords candidates(model, head);
  return word_effects(candidates, ChangedText(model, text, options.change), options);
}

}  // namespace wordsway
