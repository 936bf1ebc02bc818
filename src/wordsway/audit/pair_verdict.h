// The rules of an audit of pairs, whether they hold, and what to conclude.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/audit/pair_summary.h"

namespace wordsway {

/// The decision of an earlier run about a pair.
struct PairDecision {
  bool merged = false;
  std::optional<bool> control_kept = {};
};

struct PairBaseline {
  std::string name;                               // of the file
  std::map<std::string, PairDecision> decisions;  // by class and texts
};

/// Reads the JSON of an earlier audit (pair_audit.h). Throws FileError or DataError naming the file.
PairBaseline read_pair_baseline(const std::filesystem::path& file);
/// Parses the baseline from memory; `name` is what messages call it.
PairBaseline parse_pair_baseline(std::string_view json, const std::string& name);

/// If no rule is given, there is nothing to pass or fail.
struct PairRules {
  std::optional<double> max_false_merges = {};  // rate, of all
  std::optional<double> min_kept = {};          // rate, of all
  std::optional<PairBaseline> baseline = {};    // no class may be worse beyond chance
};

struct RuleOutcome {
  std::string rule;                // "max-false-merges", "min-kept", "baseline"
  std::string class_name;          // that it is about
  double limit = 0, measured = 0;  // of a baseline: McNemar's probability
  bool passed = true;
  std::string sentence;  // what was found
};

struct PairVerdict {
  std::vector<RuleOutcome> rules;
  std::vector<std::string> recommendation;  // sentences

  /// Nothing if there are no rules.
  std::optional<bool> passed() const;
  /// The sentences of the broken ones, each on a line.
  std::string failures() const;
  /// Whether this rule is broken for this class.
  bool is_broken(const std::string& rule, const std::string& class_name) const;
};

/// `classes` are those of `pairs` (summarise_classes). Throws DataError when a rule has no pair that it could be about.
PairVerdict judge_pairs(std::span<const AuditedPair> pairs, std::span<const ClassSummary> classes,
                        const Threshold& threshold, const PairRules& rules);

/// Significance level for regressions against a baseline.
inline constexpr double kBaselineProbability = 0.01;

/// A pair that the baseline does not contain has no regression.
PairRegression regression_of(const AuditedPair& pair, const PairBaseline& baseline);

/// "12.3%", "<0.1%".
std::string percent(double rate);

}  // namespace wordsway
