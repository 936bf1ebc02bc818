// Replacing a word of a text by real words: which of them changes the output of a model most.
//
// A vocabulary has tens of thousands of words, and each costs a forward. So some are evaluated exactly, and these say
// where to look next: all words are ranked by a linear function of their embedding, one half of it the gradient of
// change² (of logits: of the divergence) at the best replacements so far, the other half a ridge regression of all
// exact changes in the text. Both are first-order models of the change; the best of the ranking are evaluated exactly,
// and so on until enough are. docs/words.md says how often that finds the word that an exhaustive search finds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/audit/candidates.h"
#include "wordsway/core/progress.h"

namespace wordsway {

struct Substitution {
  std::string replacement;  // as it stands in the changed text
  TextChange found = {};
  std::optional<double> plausibility = {}, likeness = {};  // as the candidate has them
  std::optional<Relation> relation = {};
  std::optional<Index> screened_rank = {};  // its place in the order of evaluation, from 1; where not all are evaluated
};

struct WordSubstitutions {
  size_t word = 0;                  // its index in the text's words
  std::vector<Substitution> found;  // the largest change first (TextChange::magnitude)
  Index candidates = 0;             // that there were
};

struct ReplacementSearch {
  Index first = 64;         // random ones, to begin with
  Index round = 64;         // at a time, after that
  Index evaluations = 768;  // for each word, in all
  Index bases = 8;          // replacements at which the gradient is taken, each round
};

/// Evaluates as many candidates of each word as the options say, or all if they are fewer. `known`, if given, are
/// already evaluated and count as the first. The model's vocabulary must contain the candidates.
std::vector<WordSubstitutions> search_substitutions(const ChangedText& text, std::span<const size_t> words,
                                                    const CandidateWords& candidates, const ReplacementSearch& options,
                                                    const Stream& stream, const Progress& progress = {},
                                                    std::vector<WordSubstitutions> known = {});

/// The changes by all the candidates given for each of the words.
std::vector<WordSubstitutions> evaluate_substitutions(const ChangedText& text, std::span<const size_t> words,
                                                      std::span<const std::vector<Candidate>> candidates,
                                                      const Progress& progress = {});

/// Candidates evaluated for each word unless told otherwise: of the whole vocabulary, and of plausible ones.
inline constexpr Index kScreenedEvaluations = 768, kPlausibleEvaluations = 256;

struct SubstituteOptions {
  std::vector<size_t> words = {};  // their indices; none: all words of the text
  CandidateSource source = CandidateSource::kAlike;
  std::vector<std::string> given = {};    // the candidates of kGiven
  std::optional<Index> evaluations = {};  // for each word; all that are given, whatever this says
  bool exhaustive = false;                // evaluate all, whatever they are
  std::uint64_t seed = 1;
};

/// Evaluates replacements of words of a text by embedding each changed text. Throws UsageError if there is no such
/// word, or if plausible candidates are requested and no model can rank them.
std::vector<WordSubstitutions> substitute_words(const ChangedText& text, const CandidateWords& candidates,
                                                const SubstituteOptions& options, const Progress& progress = {});

}  // namespace wordsway
