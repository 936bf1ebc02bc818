// Whether an encoder with a threshold separates texts of different meaning and keeps paraphrases together.
//
// Tables, files, pages and exit codes are all made from one object, PairAudit.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "wordsway/audit/pair_verdict.h"

namespace wordsway {

struct PairAudit {
  Record config = {};
  Threshold threshold = {};
  std::vector<std::string> steps = {};  // names; empty for vectors made elsewhere
  std::vector<AuditedPair> pairs = {};
  std::vector<ClassSummary> classes = {};  // `all` first
  PairVerdict verdict = {};

  const ClassSummary& all() const { return classes.front(); }
};

struct PairAuditOptions {
  std::string name = "builtin";  // of the pairs or texts, for the config
  Threshold threshold = {};
  PairRules rules = {};
  std::string prompt = {};  // goes before every text; of no use to vectors
};

/// Pairs through a model. Throws what pair_similarities and judge_pairs throw.
PairAudit audit_pairs(const Model& model, std::vector<TextPair> pairs, const PairAuditOptions& options,
                      const Progress& progress = {});
/// Audits the pairs with similarities that pair_similarities has found.
PairAudit audit_pairs(const Model& model, std::vector<PairSimilarity> found, std::vector<TextPair> pairs,
                      const PairAuditOptions& options);
/// Audits the pairs with vectors made elsewhere, those of distinct_texts(pairs) in order.
PairAudit audit_pairs(const Matrix& vectors, std::vector<TextPair> pairs, const PairAuditOptions& options);
/// Audits the pairs with given similarities; `found` belongs to `pairs`, `steps` to their by_step. Throws UsageError if
/// pairs and similarities differ in number.
PairAudit audit_pairs(std::vector<PairSimilarity> found, std::vector<TextPair> pairs, std::vector<std::string> steps,
                      const PairAuditOptions& options);

inline constexpr size_t kMostMerged = 10'000;
inline constexpr Index kMostTextsToCompare = 10'000;

/// Throws DataError on more than kMostTextsToCompare texts, or fewer than two.
void check_texts_to_compare(std::span<const std::string> texts);

/// Audits a list of different texts, every two of which must stay apart. The pairs of the result are those that merge,
/// the most similar first and kMostMerged at most. Throws DataError on more than kMostTextsToCompare texts or fewer
/// than two, and what unit_vectors and judge_pairs throw.
PairAudit audit_all(const Model& model, std::span<const std::string> texts, const PairAuditOptions& options,
                    const Progress& progress = {});
/// Audits the list with the unit vectors that unit_vectors has found.
PairAudit audit_all(const Model& model, const Matrix& units, std::span<const std::string> texts,
                    const PairAuditOptions& options);
/// Audits the list with vectors made elsewhere, those of the texts in order.
PairAudit audit_all(const Matrix& vectors, std::span<const std::string> texts, const PairAuditOptions& options);

/// How a pair contributes to a broken rule, in one sentence; nothing if it does not. Every list of failing pairs uses
/// this, so a run that passes lists none.
std::optional<std::string> failure_of(const PairAudit& audit, const AuditedPair& pair);

/// {"config", "rows", "classes", "verdict"}.
std::string to_json(const PairAudit& audit);

}  // namespace wordsway
