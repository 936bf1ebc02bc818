// Whether an encoder with a threshold tells apart what means something else, and keeps together what does not.
//
// One object, PairAudit, is what tables, files, pages and exit codes are made from.
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
/// The same with the similarities that pair_similarities has found for them.
PairAudit audit_pairs(const Model& model, std::vector<PairSimilarity> found, std::vector<TextPair> pairs,
                      const PairAuditOptions& options);
/// The same with vectors made elsewhere, those of distinct_texts(pairs) in their order.
PairAudit audit_pairs(const Matrix& vectors, std::vector<TextPair> pairs, const PairAuditOptions& options);
/// The same with similarities; `found` belongs to `pairs`, `steps` to their by_step. Throws UsageError when pairs and
/// similarities are not equally many.
PairAudit audit_pairs(std::vector<PairSimilarity> found, std::vector<TextPair> pairs, std::vector<std::string> steps,
                      const PairAuditOptions& options);

inline constexpr size_t kMostMerged = 10'000;
inline constexpr Index kMostTextsToCompare = 10'000;

/// Throws DataError on more than kMostTextsToCompare texts, or fewer than two.
void check_texts_to_compare(std::span<const std::string> texts);

/// Every two of these texts, which differ, must stay apart. The pairs of the result are those that merge, the most
/// similar first and kMostMerged at most. Throws DataError on more than kMostTextsToCompare texts or fewer than two,
/// and what unit_vectors and judge_pairs throw.
PairAudit audit_all(const Model& model, std::span<const std::string> texts, const PairAuditOptions& options,
                    const Progress& progress = {});
/// The same with the unit vectors that unit_vectors has found for them.
PairAudit audit_all(const Model& model, const Matrix& units, std::span<const std::string> texts,
                    const PairAuditOptions& options);
/// The same with vectors made elsewhere, those of the texts in their order.
PairAudit audit_all(const Matrix& vectors, std::span<const std::string> texts, const PairAuditOptions& options);

/// What a pair has to do with a broken rule, one sentence; nothing where it has not. Whatever lists failing pairs asks
/// this, so that a run that passes lists none.
std::optional<std::string> failure_of(const PairAudit& audit, const AuditedPair& pair);

/// {"config", "rows", "classes", "verdict"}.
std::string to_json(const PairAudit& audit);

}  // namespace wordsway
