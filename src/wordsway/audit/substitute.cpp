#include "wordsway/audit/substitute.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include <Eigen/Cholesky>
#include <fmt/format.h>

#include "wordsway/audit/related_words.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"
#include "wordsway/random/random_order.h"

namespace wordsway {
namespace {

constexpr double kRidge = 0.3;      // relative to squares of unit rows, for changes in units of their deviation
constexpr double kOwnRidge = 1.5;   // for what is left of the changes of one word
constexpr Index kRowsAtOnce = 512;  // candidates whose embedding is held at once

void sort_by_change(std::vector<Substitution>& found) {
  std::ranges::stable_sort(found, std::greater<>(), [](const auto& one) { return one.found.magnitude(); });
}

// Numbers with mean 0 and deviation 1; zeros if all are equal.
Vector standardised(const Vector& values) {
  const Vector centred = values.array() - values.mean();
  const double deviation = std::sqrt(centred.squaredNorm() / static_cast<double>(std::max<Index>(1, centred.size())));
  return deviation > 0 ? Vector(centred / deviation) : Vector::Zero(centred.size());
}

// One word of the text in the search.
struct WordSearch {
  size_t word;
  Index row;  // its place in hidden_states[0]
  std::vector<Candidate> candidates;
  std::vector<char> taken = {};          // whether a candidate was evaluated
  std::vector<size_t> order = {};        // of those that were
  std::vector<TextChange> changes = {};  // theirs
  Matrix unit_rows = {};                 // their embeddings at the place, of length 1
  Matrix gram = {};                      // unit_rowsᵀ·unit_rows
  Vector scores = {};
};

class Search {
 public:
  Search(const ChangedText& text, const ReplacementSearch& options, const Progress& progress)
      : text_(text), options_(options), progress_(progress) {}

  void add(size_t word, std::vector<Candidate> candidates, std::span<const Substitution> known) {
    WordSearch search{word, text_.words()[word].tokens.front(), std::move(candidates)};
    search.taken.assign(search.candidates.size(), 0);
    for (const Substitution& one : known) {
      const auto same = std::ranges::find_if(search.candidates, [&](const Candidate& candidate) {
        return replacement(search, candidate) == one.replacement;
      });
      if (same == search.candidates.end()) continue;
      take(search, static_cast<size_t>(same - search.candidates.begin()));
      search.changes.push_back(one.found);
    }
    words_.push_back(std::move(search));
  }

  void run(const Stream& stream) {
    total_ = 0;
    for (const WordSearch& word : words_) total_ += left(word);
    bool first = true;
    while (std::ranges::any_of(words_, [&](const WordSearch& word) { return left(word) > 0; })) {
      std::vector<std::pair<size_t, size_t>> chosen;  // word, candidate
      if (first && std::ranges::all_of(words_, [](const WordSearch& word) { return word.order.empty(); })) {
        for (size_t w = 0; w < words_.size(); ++w) choose_at_random(w, stream.derive(words_[w].word), chosen);
      } else {
        rank();
        for (size_t w = 0; w < words_.size(); ++w) choose_best(w, chosen);
      }
      first = false;
      evaluate(chosen);
    }
  }

  std::vector<WordSubstitutions> result() const {
    std::vector<WordSubstitutions> result;
    for (const WordSearch& word : words_) {
      WordSubstitutions one{word.word, {}, static_cast<Index>(word.candidates.size())};
      const bool all = word.order.size() == word.candidates.size();
      for (size_t k = 0; k < word.order.size(); ++k) {
        const Candidate& candidate = word.candidates[word.order[k]];
        one.found.push_back({replacement(word, candidate), word.changes[k], candidate.plausibility, candidate.likeness,
                             candidate.relation, all ? std::nullopt : std::optional(static_cast<Index>(k + 1))});
      }
      sort_by_change(one.found);
      result.push_back(std::move(one));
    }
    return result;
  }

 private:
  std::string replacement(const WordSearch& word, const Candidate& candidate) const {
    return with_capitals_of(text_.words()[word.word].text, candidate.text);
  }

  Index left(const WordSearch& word) const {
    const auto most = std::min<Index>(options_.evaluations, static_cast<Index>(word.candidates.size()));
    return std::max<Index>(0, most - static_cast<Index>(word.order.size()));
  }

  static void take(WordSearch& word, size_t candidate) {
    word.taken[candidate] = 1;
    word.order.push_back(candidate);
  }

  void choose_at_random(size_t w, const Stream& stream, std::vector<std::pair<size_t, size_t>>& chosen) {
    WordSearch& word = words_[w];
    for (const Index k :
         random_order(stream, static_cast<Index>(word.candidates.size()), std::min(left(word), options_.first))) {
      take(word, static_cast<size_t>(k));
      chosen.emplace_back(w, static_cast<size_t>(k));
    }
  }

  void choose_best(size_t w, std::vector<std::pair<size_t, size_t>>& chosen) {
    WordSearch& word = words_[w];
    std::vector<size_t> open;
    for (size_t k = 0; k < word.candidates.size(); ++k)
      if (word.taken[k] == 0) open.push_back(k);
    const auto count = std::min(left(word), options_.round);
    const auto score = [&](size_t k) { return word.scores[static_cast<Index>(k)]; };
    std::partial_sort(open.begin(), open.begin() + count, open.end(),
                      [&](size_t a, size_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    for (Index k = 0; k < count; ++k) {
      take(word, open[static_cast<size_t>(k)]);
      chosen.emplace_back(w, open[static_cast<size_t>(k)]);
    }
  }

  void evaluate(const std::vector<std::pair<size_t, size_t>>& chosen) {
    std::vector<WordEdit> edits;
    edits.reserve(chosen.size());
    for (const auto& [w, candidate] : chosen)
      edits.push_back({words_[w].word, replacement(words_[w], words_[w].candidates[candidate])});
    const auto found = text_.evaluate(edits, [&] {
      if (progress_) progress_({"replacements", static_cast<double>(++done_), static_cast<double>(total_)});
    });
    for (size_t k = 0; k < chosen.size(); ++k) words_[chosen[k].first].changes.push_back(found[k].value());
  }

  // The scores of all candidates of all words.
  void rank() {
    const std::vector<Vector> trends = regressions(), slopes = slopes_at_best();
    const Transformer& transformer = *text_.model().transformer;
    parallel_for(static_cast<Index>(words_.size()), [&](Index w) {
      WordSearch& word = words_[static_cast<size_t>(w)];
      const auto count = static_cast<Index>(word.candidates.size());
      if (count == 0) return;
      Vector by_trend(count), by_slope(count);
      std::vector<int> ids;
      for (Index begin = 0; begin < count; begin += kRowsAtOnce) {
        const Index length = std::min(kRowsAtOnce, count - begin);
        ids.clear();
        for (Index k = 0; k < length; ++k) ids.push_back(*word.candidates[static_cast<size_t>(begin + k)].id);
        const Matrix rows = transformer.embed_at_row(ids, word.row).cast<double>();
        by_slope.segment(begin, length) = rows * slopes[static_cast<size_t>(w)];
        by_trend.segment(begin, length) =
            ((rows * trends[static_cast<size_t>(w)]).array() / rows.rowwise().norm().array()).matrix();
      }
      word.scores = standardised(by_trend) + standardised(by_slope);
    });
  }

  // For every word, the coefficients by which unit rows predict its changes: those shared by all words of the text,
  // plus a regression of the word's own residuals.
  std::vector<Vector> regressions() {
    const Index d = text_.model().transformer->config().hidden_size;
    Matrix gram = kRidge * Matrix::Identity(d, d);
    Vector moment = Vector::Zero(d);
    std::vector<Vector> changes;
    for (WordSearch& word : words_) {
      add_unit_rows(word);
      Vector own(static_cast<Index>(word.changes.size()));
      for (Index k = 0; k < own.size(); ++k) own[k] = word.changes[static_cast<size_t>(k)].magnitude();
      changes.push_back(own.size() > 0 ? standardised(own) : own);
      gram.noalias() += word.gram;
      moment.noalias() += word.unit_rows.transpose() * changes.back();
    }
    const Vector shared = gram.llt().solve(moment);
    std::vector<Vector> result(words_.size());
    parallel_for(static_cast<Index>(words_.size()), [&](Index w) {
      const WordSearch& word = words_[static_cast<size_t>(w)];
      const Vector left = changes[static_cast<size_t>(w)] - word.unit_rows * shared;
      result[static_cast<size_t>(w)] =
          shared + (word.gram + kOwnRidge * Matrix::Identity(d, d)).llt().solve(word.unit_rows.transpose() * left);
    });
    return result;
  }

  // The embeddings of what was evaluated since the last time.
  void add_unit_rows(WordSearch& word) const {
    const Transformer& transformer = *text_.model().transformer;
    const Index d = transformer.config().hidden_size, known = word.unit_rows.rows();
    std::vector<int> ids;
    for (size_t k = static_cast<size_t>(known); k < word.order.size(); ++k)
      ids.push_back(*word.candidates[word.order[k]].id);
    if (known == 0) word.gram = Matrix::Zero(d, d);
    if (known == 0) word.unit_rows.resize(0, d);
    if (ids.empty()) return;
    Matrix rows = transformer.embed_at_row(ids, word.row).cast<double>();
    rows.array().colwise() /= rows.rowwise().norm().array();
    word.gram.noalias() += rows.transpose() * rows;
    word.unit_rows.conservativeResize(known + rows.rows(), d);
    word.unit_rows.bottomRows(rows.rows()) = rows;
  }

  // For every word, the sum of gradients at its best replacements.
  std::vector<Vector> slopes_at_best() const {
    const Index d = text_.model().transformer->config().hidden_size;
    std::vector<std::vector<size_t>> bases(words_.size());
    for (size_t w = 0; w < words_.size(); ++w) {
      std::vector<size_t>& best = bases[w];
      best.resize(words_[w].order.size());
      std::iota(best.begin(), best.end(), size_t{0});
      std::ranges::stable_sort(best, std::greater<>(), [&](size_t k) { return words_[w].changes[k].magnitude(); });
      best.resize(std::min(best.size(), static_cast<size_t>(options_.bases)));
    }
    std::vector<WordEdit> edits;
    std::vector<size_t> owners;
    for (size_t w = 0; w < words_.size(); ++w)
      for (const size_t base : bases[w]) {
        edits.push_back({words_[w].word, replacement(words_[w], words_[w].candidates[words_[w].order[base]])});
        owners.push_back(w);
      }
    const auto slopes = text_.slopes(edits);
    std::vector<Vector> sums(words_.size(), Vector::Zero(d));
    for (size_t k = 0; k < slopes.size(); ++k)
      if (slopes[k]) sums[owners[k]] += *slopes[k];
    return sums;
  }

  const ChangedText& text_;
  ReplacementSearch options_;
  const Progress& progress_;
  std::vector<WordSearch> words_;
  Index done_ = 0, total_ = 0;
};

// Words that are searched together: they learn from each other, and each holds a number for every candidate.
constexpr size_t kWordsTogether = 32;

// Chooses `most` words: half are the likeliest, the others have vectors most similar to that of the replaced word. If
// there are too few of these, takes more likely ones.
std::vector<Candidate> likely_and_near(const std::vector<Candidate>& likely, const std::vector<Candidate>& near,
                                       size_t most) {
  std::map<std::string, const Candidate*> by_text;
  for (const Candidate& one : likely) by_text.emplace(without_case(one.text), &one);
  most = std::min(most, likely.size());  // so that count_plausible() says how many there will be
  std::vector<Candidate> result;
  std::map<std::string, size_t> taken;
  const auto take = [&](const Candidate& one) {
    if (result.size() < most && taken.emplace(without_case(one.text), result.size()).second) result.push_back(one);
  };
  for (size_t k = 0; k < std::min(likely.size(), most - most / 2); ++k) take(likely[k]);
  for (Candidate one : near) {
    if (const auto known = by_text.find(without_case(one.text)); known != by_text.end())
      one.plausibility = known->second->plausibility;
    if (const auto there = taken.find(without_case(one.text)); there != taken.end())
      result[there->second].likeness = one.likeness;
    take(one);
  }
  for (const Candidate& one : likely) take(one);
  return result;
}

}  // namespace

std::vector<WordSubstitutions> search_substitutions(const ChangedText& text, std::span<const size_t> words,
                                                    const CandidateWords& candidates, const ReplacementSearch& options,
                                                    const Stream& stream, const Progress& progress,
                                                    std::vector<WordSubstitutions> known) {
  std::vector<WordSubstitutions> result;
  for (size_t begin = 0; begin < words.size(); begin += kWordsTogether) {
    Search search(text, options, progress);
    for (size_t k = begin; k < std::min(words.size(), begin + kWordsTogether); ++k)
      search.add(words[k], candidates.all(text.words()[words[k]]),
                 known.empty() ? std::span<const Substitution>() : std::span<const Substitution>(known[k].found));
    search.run(stream);
    for (WordSubstitutions& one : search.result()) result.push_back(std::move(one));
  }
  return result;
}

std::vector<WordSubstitutions> evaluate_substitutions(const ChangedText& text, std::span<const size_t> words,
                                                      std::span<const std::vector<Candidate>> candidates,
                                                      const Progress& progress) {
  std::vector<WordEdit> edits;
  std::vector<WordSubstitutions> result;
  const auto is_of_lexicon = [](const auto& some) {
    return std::ranges::any_of(some, [](const Candidate& one) { return one.relation.has_value(); });
  };
  const Lexicon* const lexicon = std::ranges::any_of(candidates, is_of_lexicon) ? lexicon_of(text.text()) : nullptr;
  for (size_t k = 0; k < words.size(); ++k) {
    throw_if_stopped();
    const std::string& word = text.words()[words[k]].text;
    WordSubstitutions one{words[k], {}, static_cast<Index>(candidates[k].size())};
    for (const Candidate& candidate : candidates[k]) {
      one.found.push_back(
          {with_capitals_of(word, candidate.text), {}, candidate.plausibility, candidate.likeness, candidate.relation});
      edits.push_back(
          edit_by_lexicon(candidate.relation ? lexicon : nullptr, text, words[k], one.found.back().replacement));
    }
    result.push_back(std::move(one));
  }
  ProgressCounter counter(progress, "replacements", static_cast<double>(edits.size()));
  const auto found = text.evaluate(edits, [&] { counter.step(); });
  auto next = found.begin();
  for (WordSubstitutions& one : result) {
    for (Substitution& substitution : one.found) substitution.found = (next++)->value();
    sort_by_change(one.found);
  }
  return result;
}

std::vector<WordSubstitutions> substitute_words(const ChangedText& text, const CandidateWords& candidates,
                                                const SubstituteOptions& options, const Progress& progress) {
  std::vector<size_t> words = options.words;
  if (words.empty()) {
    words.resize(text.words().size());
    std::iota(words.begin(), words.end(), size_t{0});
  }
  for (const size_t word : words)
    if (word >= text.words().size())
      throw UsageError(fmt::format("word {} does not exist; the text has {} words", word, text.words().size()));
  if (options.source == CandidateSource::kAll && !options.exhaustive)
    return search_substitutions(text, words, candidates,
                                {.evaluations = options.evaluations.value_or(kScreenedEvaluations)},
                                Stream(options.seed).derive("substitute"), progress);
  std::vector<std::vector<Candidate>> chosen;
  std::vector<LexiconEntry> entries;  // that candidates are views of
  if (const auto relation = relation_of(options.source)) {
    entries = related_words(candidates, text);
    for (const size_t word : words) chosen.push_back(candidates_of(entries[word], *relation));
  } else if (options.source == CandidateSource::kPlausible) {
    std::vector<Word> places;
    places.reserve(words.size());
    for (const size_t word : words) places.push_back(text.words()[word]);
    chosen =
        candidates.plausible(text.text(), places, std::numeric_limits<Index>::max(), {}, CandidateWords::Kind::kSame);
    const auto most = static_cast<size_t>(options.evaluations.value_or(kPlausibleEvaluations));
    const Lexicon* const lexicon = lexicon_of(text.text());
    if (lexicon != nullptr) entries = related_words(candidates, text);
    for (size_t k = 0; k < words.size() && !options.exhaustive; ++k) {
      auto near = candidates.neighbours(text.text(), places[k], static_cast<Index>(most));
      if (lexicon != nullptr && entries[words[k]].part)
        std::erase_if(near, [&](const Candidate& one) { return !lexicon->could_be(one.text, entries[words[k]]); });
      chosen[k] = likely_and_near(chosen[k], near, most);
    }
  } else if (options.source == CandidateSource::kGiven) {
    for (const size_t word : words) chosen.push_back(given_candidates(options.given, text.words()[word].text));
  } else {
    for (const size_t word : words) chosen.push_back(candidates.all(text.words()[word]));
  }
  return evaluate_substitutions(text, words, chosen, progress);
}

}  // namespace wordsway
