#include "wordsway/audit/pair_verdict.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/io/data_text.h"
#include "wordsway/io/input_file.h"
#include "wordsway/io/json_view.h"
#include "wordsway/text/pairs/pair_file.h"

namespace wordsway {
namespace {

constexpr double kManyKept = 0.5;  // a threshold that loses more paraphrases than this is useless

std::string key_of(const std::string& class_name, const std::string& anchor, const std::string& changed,
                   const std::string& control) {
  return fmt::format("{}\n{}\n{}\n{}", class_name, anchor, changed, control);
}

std::string key_of(const TextPair& pair) {
  return key_of(pair.class_name, pair.anchor, pair.changed, pair.control.value_or(""));
}

const ClassSummary* find_class(std::span<const ClassSummary> classes, const std::string& name) {
  const auto found = std::ranges::find(classes, name, &ClassSummary::class_name);
  return found == classes.end() ? nullptr : &*found;
}

constexpr Index kLeastForRuleOfThree = 30;
constexpr Index kLeastForOnePercent = 300;  // if none of this many merges, the rate is at most 1%

// A rate that was seen, with Wilson's interval; where nothing was seen, by the rule of three.
std::string describe_rate(Index hits, Index trials) {
  const RateInterval interval = wilson_interval(hits, trials);
  const double n = static_cast<double>(trials), rate = static_cast<double>(hits) / n;
  if (hits == 0 && trials >= kLeastForRuleOfThree)
    return fmt::format("0 of {} (95%: at most 3/n, {})", trials, percent(3 / n));
  return fmt::format("{} of {}, {} (95%: {} to {})", hits, trials, percent(rate), percent(interval.low),
                     percent(interval.high));
}

RuleOutcome judge_merges(const ClassSummary& all, double limit) {
  if (all.pairs == 0) throw DataError("there is no pair that a limit on false merges could be about");
  const double rate = *all.merge_rate();
  return {
      "max-false-merges",
      all.class_name,
      limit,
      rate,
      rate <= limit,
      fmt::format("false merges: {}; at most {} are allowed", describe_rate(all.merged, all.pairs), percent(limit))};
}

RuleOutcome judge_kept(const ClassSummary& all, double limit) {
  if (all.controls == 0) throw DataError("there is no pair with a control that could be kept");
  const double rate = *all.keep_rate();
  return {"min-kept",
          all.class_name,
          limit,
          rate,
          rate >= limit,
          fmt::format("paraphrases kept: {}; at least {} are wanted", describe_rate(all.kept, all.controls),
                      percent(limit))};
}

// How many pairs of a class are worse than before, and how many better.
struct Changes {
  Index worse = 0, better = 0;
};

RuleOutcome judge_changes(const std::string& class_name, const char* worse, const Changes& changes,
                          const std::string& baseline) {
  const double probability = mcnemar_probability(changes.better, changes.worse);
  const bool passed = changes.worse <= changes.better || probability >= kBaselineProbability;
  return {"baseline",
          class_name,
          kBaselineProbability,
          probability,
          passed,
          fmt::format("{}: {} {} in {}, {} the other way round (McNemar's exact test: p = {:.2g})", class_name,
                      changes.worse, worse, baseline, changes.better, probability)};
}

void judge_baseline(std::span<const AuditedPair> pairs, std::span<const ClassSummary> classes,
                    const PairBaseline& baseline, std::vector<RuleOutcome>& outcomes) {
  std::map<std::string, std::array<Changes, 2>> by_class;  // merges, controls
  Index known = 0;
  for (const AuditedPair& pair : pairs) {
    const auto before = baseline.decisions.find(key_of(pair.pair));
    if (before == baseline.decisions.end()) continue;
    ++known;
    const bool wanted = is_neutral(pair.pair.class_name);
    std::vector<std::string> names = {pair.pair.class_name};
    if (!stands_alone(pair.pair.class_name)) names.emplace_back(kAllClasses);
    for (const std::string& name : names) {
      auto& [merges, controls] = by_class[name];
      if (pair.merged != before->second.merged) ++(pair.merged == wanted ? merges.better : merges.worse);
      if (pair.control_kept && before->second.control_kept && *pair.control_kept != *before->second.control_kept)
        ++(*pair.control_kept ? controls.better : controls.worse);
    }
  }
  if (known == 0) throw DataError(baseline.name + ": holds none of these pairs, so nothing can be compared");
  for (const ClassSummary& summary : classes) {
    const auto found = by_class.find(summary.class_name);
    if (found == by_class.end()) continue;
    const auto& [merges, controls] = found->second;
    outcomes.push_back(
        judge_changes(summary.class_name,
                      is_neutral(summary.class_name) ? "pairs are apart that merged" : "pairs merge that were apart",
                      merges, baseline.name));
    outcomes.push_back(
        judge_changes(summary.class_name, "paraphrases are lost that were kept", controls, baseline.name));
  }
}

PairBaseline baseline_of(const JsonView& document, const std::string& name) {
  PairBaseline baseline{name, {}};
  for (const JsonView& row : document["rows"].elements()) {
    PairDecision decision{row["merged"].boolean(), {}};
    if (row["control_kept"].exists()) decision.control_kept = row["control_kept"].boolean();
    baseline.decisions[key_of(row["class"].string(), row["anchor"].string(), row["changed"].string(),
                              row["control"].string_or(""))] = decision;
  }
  return baseline;
}

// The recommendation, sentence by sentence.

std::string describe_threshold_now(const ClassSummary& all, const Threshold& threshold) {
  std::string sentence =
      fmt::format("At {}, reversals that merge: {}.", threshold.describe(), describe_rate(all.merged, all.pairs));
  if (all.controls > 0)
    sentence += fmt::format(" Paraphrases that stay together: {}.", describe_rate(all.kept, all.controls));
  return sentence;
}

std::string in_units(double cosine, const Threshold& threshold) {
  std::string plain = describe_threshold(cosine, SimilarityUnit::kCosine);
  if (threshold.unit == SimilarityUnit::kCosine) return plain;
  return fmt::format("{} ({})", describe_threshold(threshold_of_cosine(cosine, threshold.unit), threshold.unit), plain);
}

std::string describe_best_threshold(const ClassSummary& all, const Threshold& threshold) {
  if (!all.threshold_1pct)
    return "No threshold helps: more than 1% of the reversals have the very vector of their anchor.";
  const std::string best = in_units(*all.threshold_1pct, threshold);
  if (!all.control_kept_at_1pct) return fmt::format("To merge at most 1% of them, use {}.", best);
  const double kept = *all.control_kept_at_1pct;
  if (kept >= kManyKept)
    return fmt::format("Use {}: it merges at most 1% of the reversals and keeps {} of the paraphrases; {} are lost.",
                       best, percent(kept), percent(1 - kept));
  return fmt::format(
      "No threshold helps: at most 1% of the reversals merge from {} on, and there {} of the paraphrases are lost. A "
      "reversal is more similar than its paraphrase in {} of the triplets (AUROC {:.2f}, 95%: {:.2f} to {:.2f}).",
      best, percent(1 - kept), percent(*all.inversion_rate), *all.auroc, all.auroc_interval.low,
      all.auroc_interval.high);
}

std::string warn_of_few_pairs(const ClassSummary& all) {
  return fmt::format("{} pairs are few: a rate of 1% is seen with {} or more.", all.pairs, kLeastForOnePercent);
}

std::string describe_worst_classes(std::span<const ClassSummary> classes, const Threshold& threshold) {
  std::vector<const ClassSummary*> bad, clean;
  for (const ClassSummary& summary : classes) {
    if (summary.class_name == kAllClasses || is_neutral(summary.class_name) || summary.pairs == 0) continue;
    if (wilson_interval(summary.merged, summary.pairs).low > kFewMerges) bad.push_back(&summary);
    if (summary.merged == 0) clean.push_back(&summary);
  }
  std::ranges::stable_sort(bad, std::greater<>(), [](const ClassSummary* s) { return *s->merge_rate(); });
  std::vector<std::string> parts, none;
  for (const ClassSummary* s : bad) parts.push_back(fmt::format("{} {}", s->class_name, percent(*s->merge_rate())));
  for (const ClassSummary* s : clean) none.push_back(fmt::format("{} ({})", s->class_name, describe_rate(0, s->pairs)));
  std::string sentence;
  if (!parts.empty())
    sentence = fmt::format("Classes that need a second check at {}: {}.", threshold.describe(), fmt::join(parts, ", "));
  if (!none.empty())
    sentence += fmt::format("{}Nothing merged in: {}.", sentence.empty() ? "" : " ", fmt::join(none, ", "));
  return sentence;
}

// Whether neutral one-word changes can be told from those that reverse the meaning.
std::string describe_neutral_changes(const ClassSummary& neutral, std::span<const AuditedPair> pairs) {
  std::string sentence = fmt::format("Changes of one word that mean nothing stay together: {}.",
                                     describe_rate(neutral.merged, neutral.pairs));
  std::vector<double> harmless, reversals;
  for (const AuditedPair& pair : pairs) {
    if (is_neutral(pair.pair.class_name)) harmless.push_back(pair.found.changed);
    if (!stands_alone(pair.pair.class_name)) reversals.push_back(pair.found.changed);
  }
  if (!reversals.empty())
    sentence += fmt::format(
        " One of them is more similar to its anchor than a reversal is with probability {:.2f} "
        "(0.5 is guessing).",
        area_under_roc(harmless, reversals));
  return sentence;
}

}  // namespace

std::string percent(double rate) {
  if (rate > 0 && rate < 0.0005) return "<0.1%";
  if (rate < 1 && rate >= 0.9995) return ">99.9%";
  const bool is_whole = rate == 0 || rate == 1 || (rate >= 0.0995 && rate < 0.9905);
  return fmt::format("{:.{}f}%", 100 * rate, is_whole ? 0 : 1);
}

std::optional<bool> PairVerdict::passed() const {
  if (rules.empty()) return std::nullopt;
  return std::ranges::all_of(rules, &RuleOutcome::passed);
}

std::string PairVerdict::failures() const {
  std::vector<std::string> sentences;
  for (const RuleOutcome& rule : rules)
    if (!rule.passed) sentences.push_back(rule.sentence);
  return fmt::format("{}", fmt::join(sentences, "\n"));
}

bool PairVerdict::is_broken(const std::string& rule, const std::string& class_name) const {
  return std::ranges::any_of(rules, [&](const RuleOutcome& outcome) {
    return !outcome.passed && outcome.rule == rule && outcome.class_name == class_name;
  });
}

PairBaseline read_pair_baseline(const std::filesystem::path& file) {
  return parse_pair_baseline(read_small_file(file), file.string());
}

PairBaseline parse_pair_baseline(std::string_view json, const std::string& name) {
  return baseline_of(parse_data_json(json, name), name);
}

PairRegression regression_of(const AuditedPair& pair, const PairBaseline& baseline) {
  const auto before = baseline.decisions.find(key_of(pair.pair));
  if (before == baseline.decisions.end()) return {};
  const bool wanted = is_neutral(pair.pair.class_name);
  return {pair.merged != before->second.merged && pair.merged != wanted,
          before->second.control_kept.value_or(false) && !pair.control_kept.value_or(true)};
}

PairVerdict judge_pairs(std::span<const AuditedPair> pairs, std::span<const ClassSummary> classes,
                        const Threshold& threshold, const PairRules& rules) {
  PairVerdict verdict;
  const ClassSummary& all = classes.front();
  if (rules.max_false_merges) verdict.rules.push_back(judge_merges(all, *rules.max_false_merges));
  if (rules.min_kept) verdict.rules.push_back(judge_kept(all, *rules.min_kept));
  if (rules.baseline) judge_baseline(pairs, classes, *rules.baseline, verdict.rules);
  if (all.pairs > 0)
    verdict.recommendation = {describe_threshold_now(all, threshold), describe_best_threshold(all, threshold)};
  if (all.pairs > 0 && all.pairs < kLeastForOnePercent) verdict.recommendation.push_back(warn_of_few_pairs(all));
  if (std::string sentence = describe_worst_classes(classes, threshold); !sentence.empty())
    verdict.recommendation.push_back(std::move(sentence));
  if (const ClassSummary* neutral = find_class(classes, "neutral"))
    verdict.recommendation.push_back(describe_neutral_changes(*neutral, pairs));
  return verdict;
}

}  // namespace wordsway
