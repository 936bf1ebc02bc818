// Pairs and a threshold: what becomes of each pair, and of the classes they belong to.
//
// A pair merges where its two texts are within the threshold. That is a false merge, except in the class `neutral`,
// whose changes mean nothing. `neutral` and `role-swap` (which changes more than one word) have entries of their own
// and are not counted in `all`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/audit/pairs.h"
#include "wordsway/audit/similarity.h"
#include "wordsway/core/record.h"
#include "wordsway/core/statistics.h"

namespace wordsway {

/// The share of different pairs that may be merged: what people ask of a cache that answers for them.
constexpr double kFewMerges = 0.01;

struct Threshold {
  double value = 0.8;
  SimilarityUnit unit = SimilarityUnit::kCosine;
  std::string preset = {};  // that it came from; may be empty

  double cosine() const { return cosine_of_threshold(value, unit); }
  std::string describe() const { return describe_threshold(value, unit); }
};

/// The threshold of a preset, or a number with its unit; the usual one if neither is given. Throws UsageError if both
/// are given, if a number has no unit, or if no cosine has this value.
Threshold choose_threshold(const std::optional<double>& value, const std::optional<std::string>& unit,
                           const std::optional<std::string>& preset);

/// Whether a class is excluded from `all`.
bool stands_alone(const std::string& class_name);
/// Whether the changes of a class keep the meaning, so that they should merge.
bool is_neutral(const std::string& class_name);

/// How a pair is worse than in an earlier run: it merges now but should not, or does not but should.
struct PairRegression {
  bool pair = false, control = false;
};

/// `lost_at` is the step from which on the pair stays within the threshold to the end, nothing if it is apart at the
/// end; `apart_at` is the step of least similarity. Both are nothing for vectors made elsewhere.
struct AuditedPair {
  TextPair pair;
  PairSimilarity found;
  std::vector<std::string> words;  // that differ (text/words/word_diff.h)
  bool merged = false;
  std::optional<bool> control_kept = {}, inverted = {};  // inverted: the changed text is more similar than the control
  std::optional<size_t> lost_at = {}, apart_at = {};
  PairRegression regression = {};  // from the baseline, if there is one
};

AuditedPair decide(TextPair pair, PairSimilarity found, double least_cosine);

struct ClassSummary {
  std::string class_name;
  Index pairs = 0, merged = 0;   // merged: within the threshold
  Index controls = 0, kept = 0;  // kept: controls within the threshold
  std::optional<double> median_changed = {}, median_control = {};
  std::optional<double> auroc = {};  // of controls over changed texts: 1 tells all of them apart, 0.5 none
  RateInterval auroc_interval = {};  // 95%, by bootstrap over pairs
  std::optional<double> inversion_rate = {};
  std::optional<double> threshold_1pct = {};  // the least cosine, of four digits, at which at most 1% merge
  std::optional<double> control_kept_at_1pct = {};
  std::vector<double> changed_by_step = {}, control_by_step = {};  // median similarity after every step
  std::vector<double> lost_by_step = {};                      // share of pairs that are lost at this step or before
  std::vector<std::optional<double>> own_share_by_step = {};  // median, after the embedding and every layer

  std::optional<double> merge_rate() const;
  std::optional<double> keep_rate() const;
};

/// Summarises these pairs under this name, whatever their classes.
ClassSummary summarise(const std::string& class_name, std::span<const AuditedPair* const> pairs);

/// Summarises pairs without controls, from their similarities alone.
ClassSummary summarise(const std::string& class_name, std::vector<double> similarities, double least_cosine);

/// `all` first, then every class in the order of appearance.
std::vector<ClassSummary> summarise_classes(std::span<const AuditedPair> pairs);

/// The most similar of the pairs that should be apart and count in `all`, at most one for each changed word.
std::vector<const AuditedPair*> most_similar(std::span<const AuditedPair> pairs, size_t most);

/// The chance that one of `above` is greater than one of `below`, equal ones counting half. Neither may be empty.
double area_under_roc(std::span<const double> above, std::span<const double> below);

/// Rows of results, with the keys that scripts rely on.
Record row_of(const AuditedPair& pair, const std::vector<std::string>& steps);
Record row_of(const ClassSummary& summary);

}  // namespace wordsway
