#include "wordsway/audit/pairs_text.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/io/json.h"
#include "wordsway/io/row_text.h"

namespace wordsway {
namespace {

constexpr size_t kShownPairs = 5;

Value rate(const std::optional<double>& value) {
  return value ? Value(percent(*value)) : Value();
}

Value cosine(const std::optional<double>& value) {
  return value ? Value(fmt::format("{:.3f}", *value)) : Value();
}

Record table_row(const ClassSummary& summary) {
  const RateInterval merges = wilson_interval(summary.merged, summary.pairs);
  const std::string range = fmt::format("{} to {}", percent(merges.low), percent(merges.high));
  return {{"class", summary.class_name},
          {"pairs", std::int64_t{summary.pairs}},
          {"changed", cosine(summary.median_changed)},
          {"control", cosine(summary.median_control)},
          {"merged", rate(summary.merge_rate())},
          {"95%", summary.pairs > 0 ? Value(range) : Value()},
          {"kept", rate(summary.keep_rate())},
          {"AUROC", cosine(summary.auroc)},
          {"inverted", rate(summary.inversion_rate)},
          {"for 1%", summary.threshold_1pct ? Value(fmt::format("{:.4f}", *summary.threshold_1pct)) : Value()},
          {"kept then", rate(summary.control_kept_at_1pct)}};
}

std::string similar_pairs(const PairAudit& audit) {
  std::vector<Record> rows;
  for (const AuditedPair* pair : most_similar(audit.pairs, kShownPairs))
    rows.push_back({{"cosine", fmt::format("{:.3f}", pair->found.changed)},
                    {"anchor", pair->pair.anchor},
                    {"changed", pair->pair.changed}});
  return rows.empty() ? "" : "Most similar, one pair for each changed word:\n" + to_table(rows);
}

std::string format_audit(const PairAudit& audit) {
  std::vector<Record> rows;
  rows.reserve(audit.classes.size());
  for (const ClassSummary& summary : audit.classes) rows.push_back(table_row(summary));
  std::string text = to_table(rows) + "\n" + similar_pairs(audit) + "\n";
  for (const std::string& sentence : audit.verdict.recommendation) text += sentence + "\n";
  for (const RuleOutcome& rule : audit.verdict.rules)
    if (!rule.passed || rule.rule != "baseline")
      text += fmt::format("{}  {}\n", rule.passed ? "holds" : "FAILS", rule.sentence);
  const auto compared = std::ranges::count(audit.verdict.rules, "baseline", &RuleOutcome::rule);
  const auto worse = std::ranges::count_if(
      audit.verdict.rules, [](const RuleOutcome& rule) { return rule.rule == "baseline" && !rule.passed; });
  if (compared > 0 && worse == 0) text += "holds  no class is worse than in the baseline, beyond chance\n";
  return text;
}

std::string format_comparison(const PairAudit& audit) {
  const AuditedPair& pair = audit.pairs.front();
  std::vector<Record> rows;
  for (size_t step = 0; step < audit.steps.size(); ++step)
    rows.push_back({{"step", audit.steps[step]}, {"cosine", fmt::format("{:.4f}", pair.found.by_step[step])}});
  std::string text = rows.empty() ? "" : to_table(rows) + "\n";
  text += fmt::format("cosine {:.4f}: {} at {}", pair.found.changed,
                      pair.merged ? "the texts merge" : "the texts are apart", audit.threshold.describe());
  if (pair.lost_at) text += fmt::format(", within it from {} on", audit.steps[*pair.lost_at]);
  return text + "\n";
}

}  // namespace

std::string format_pairs(const PairAudit& audit, const std::string& format, bool of_two) {
  std::vector<Record> rows;
  rows.reserve(audit.pairs.size());
  for (const AuditedPair& pair : audit.pairs) rows.push_back(row_of(pair, audit.steps));
  if (of_two && !audit.steps.empty())
    rows.front().merge({{"steps", audit.steps}, {"similarities", audit.pairs.front().found.by_step}});
  if (format == "json") return of_two ? to_json(rows.front()) + "\n" : to_json(audit);
  if (format != "table") return format_rows(rows, format);
  return of_two ? format_comparison(audit) : format_audit(audit);
}

}  // namespace wordsway
