#include "wordsway/audit/pair_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "wordsway/core/error.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/pairs/pair_file.h"
#include "wordsway/text/words/word_diff.h"

namespace wordsway {
namespace {

constexpr int kResamples = 1000;
constexpr double kSameSimilarity = 1e-6;

std::optional<double> share(Index part, Index whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> median_or_nothing(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(median(values));
}

// The least number of four digits that is greater than all but a hundredth of the values; nothing above 1.
std::optional<double> threshold_for_few(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  const auto allowed = static_cast<size_t>(kFewMerges * static_cast<double>(values.size()));
  const auto place = values.begin() + static_cast<long>(allowed);
  std::ranges::nth_element(values, place, std::greater<>());
  double threshold = std::ceil(*place * 1e4) / 1e4;
  if (threshold <= *place) threshold = (std::floor(*place * 1e4) + 1) / 1e4;
  return threshold <= 1 ? std::optional(threshold) : std::nullopt;
}

// Both kinds of similarities of a class in one order, so that the area for a resample takes one pass.
class RankedPairs {
 public:
  // A pair without a control has NaN there.
  RankedPairs(std::span<const double> changed, std::span<const double> controls) : pairs_(changed.size()) {
    for (size_t k = 0; k < pairs_; ++k) {
      values_.push_back({changed[k], k, false});
      if (!std::isnan(controls[k])) values_.push_back({controls[k], k, true});
    }
    std::ranges::sort(values_, {}, &Entry::value);
  }

  // Pair k counts weights[k] times. Returns nothing if no control counts.
  std::optional<double> area(std::span<const int> weights) const {
    double below = 0, controls = 0, wins = 0;
    for (size_t begin = 0; begin < values_.size();) {
      double equal_changed = 0, equal_controls = 0;
      size_t end = begin;
      for (; end < values_.size() && values_[end].value == values_[begin].value; ++end)
        (values_[end].is_control ? equal_controls : equal_changed) += weights[values_[end].pair];
      wins += equal_controls * (below + equal_changed / 2);
      below += equal_changed;
      controls += equal_controls;
      begin = end;
    }
    if (controls == 0 || below == 0) return std::nullopt;
    return wins / (controls * below);
  }

  // 95% of the areas of resampled pairs.
  RateInterval bootstrap(const Stream& stream) const {
    std::vector<double> areas;
    std::vector<int> weights(pairs_);
    for (int sample = 0; sample < kResamples; ++sample) {
      const Stream draws = stream.derive(static_cast<std::uint64_t>(sample));
      std::ranges::fill(weights, 0);
      for (size_t k = 0; k < pairs_; ++k)
        ++weights[static_cast<size_t>(draws.uniform(k) * static_cast<double>(pairs_))];
      if (const auto found = area(weights)) areas.push_back(*found);
    }
    if (areas.empty()) return {};
    std::ranges::sort(areas);
    const auto at = [&](double part) {
      return areas[static_cast<size_t>(part * static_cast<double>(areas.size() - 1))];
    };
    return {at(0.025), at(0.975)};
  }

 private:
  struct Entry {
    double value;
    size_t pair;
    bool is_control;
  };
  size_t pairs_;
  std::vector<Entry> values_;
};

void add_steps(ClassSummary& summary, std::span<const AuditedPair* const> pairs) {
  const size_t steps = pairs.empty() ? 0 : pairs.front()->found.by_step.size();
  for (size_t step = 0; step < steps; ++step) {
    const auto lost = std::ranges::count_if(
        pairs, [&](const AuditedPair* pair) { return pair->lost_at.has_value() && *pair->lost_at <= step; });
    summary.lost_by_step.push_back(*share(lost, summary.pairs));
    std::vector<double> changed, controls;
    for (const AuditedPair* pair : pairs) {
      changed.push_back(pair->found.by_step[step]);
      if (pair->found.control) controls.push_back(pair->found.control_by_step[step]);
    }
    summary.changed_by_step.push_back(median(changed));
    if (!controls.empty()) summary.control_by_step.push_back(median(controls));
  }
  const size_t layers = pairs.empty() ? 0 : pairs.front()->found.own_share.size();
  for (size_t layer = 0; layer < layers; ++layer) {
    std::vector<double> shares;
    for (const AuditedPair* pair : pairs)
      if (pair->found.own_share[layer]) shares.push_back(*pair->found.own_share[layer]);
    summary.own_share_by_step.push_back(median_or_nothing(shares));
  }
}

std::vector<double> numbers_of(const std::vector<std::optional<double>>& values) {
  std::vector<double> numbers;
  numbers.reserve(values.size());
  for (const auto& value : values) numbers.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  return numbers;
}

}  // namespace

Threshold choose_threshold(const std::optional<double>& value, const std::optional<std::string>& unit,
                           const std::optional<std::string>& preset) {
  if (value && preset) throw UsageError("threshold and preset contradict each other; give one");
  if (unit && !value) throw UsageError("the unit is that of a threshold, which is not given");
  if (preset) {
    const ThresholdPreset& known = threshold_preset(*preset);
    return {known.threshold, known.unit, known.name};
  }
  if (!value) return {};
  if (!unit)
    throw UsageError(
        fmt::format("a threshold of {} of what? give its unit: {}", *value, fmt::join(similarity_unit_names(), ", ")));
  Threshold threshold{*value, parse_similarity_unit(*unit)};
  threshold.cosine();  // throws if there is no such cosine
  return threshold;
}

bool stands_alone(const std::string& class_name) {
  return is_neutral(class_name) || class_name == "role-swap";
}

bool is_neutral(const std::string& class_name) {
  return class_name == "neutral";
}

AuditedPair decide(TextPair pair, PairSimilarity found, double least_cosine) {
  AuditedPair result;
  result.words = changed_words(pair.anchor, pair.changed);
  result.merged = found.changed >= least_cosine;
  if (found.control) {
    result.control_kept = *found.control >= least_cosine;
    result.inverted = found.changed > *found.control;
  }
  if (!found.by_step.empty()) {
    const auto& steps = found.by_step;
    // Normalising changes nothing but the last bits: of equal steps the first counts.
    const double least = std::ranges::min(steps) + kSameSimilarity;
    result.apart_at =
        static_cast<size_t>(std::ranges::find_if(steps, [&](double s) { return s <= least; }) - steps.begin());
    size_t lost = steps.size();
    while (lost > 0 && steps[lost - 1] >= least_cosine) --lost;
    if (lost < steps.size()) result.lost_at = lost;
  }
  result.pair = std::move(pair);
  result.found = std::move(found);
  return result;
}

std::optional<double> ClassSummary::merge_rate() const {
  return share(merged, pairs);
}

std::optional<double> ClassSummary::keep_rate() const {
  return share(kept, controls);
}

ClassSummary summarise(const std::string& class_name, std::span<const AuditedPair* const> pairs) {
  ClassSummary summary;
  summary.class_name = class_name;
  summary.pairs = static_cast<Index>(pairs.size());
  std::vector<double> changed, controls, seen_controls;
  Index inverted = 0;
  for (const AuditedPair* pair : pairs) {
    changed.push_back(pair->found.changed);
    controls.push_back(pair->found.control.value_or(std::numeric_limits<double>::quiet_NaN()));
    if (pair->found.control) seen_controls.push_back(*pair->found.control);
    summary.merged += pair->merged ? 1 : 0;
    summary.kept += pair->control_kept.value_or(false) ? 1 : 0;
    inverted += pair->inverted.value_or(false) ? 1 : 0;
  }
  summary.controls = static_cast<Index>(seen_controls.size());
  summary.median_changed = median_or_nothing(changed);
  summary.median_control = median_or_nothing(seen_controls);
  summary.inversion_rate = share(inverted, summary.controls);
  summary.threshold_1pct = threshold_for_few(changed);
  if (summary.threshold_1pct && summary.controls > 0) {
    const auto kept = std::ranges::count_if(seen_controls, [&](double c) { return c >= *summary.threshold_1pct; });
    summary.control_kept_at_1pct = share(kept, summary.controls);
  }
  if (summary.controls > 0) {
    const RankedPairs ranked(changed, controls);
    summary.auroc = ranked.area(std::vector<int>(changed.size(), 1));
    summary.auroc_interval = ranked.bootstrap(Stream(1).derive("bootstrap").derive(class_name));
  }
  add_steps(summary, pairs);
  return summary;
}

ClassSummary summarise(const std::string& class_name, std::vector<double> similarities, double least_cosine) {
  ClassSummary summary;
  summary.class_name = class_name;
  summary.pairs = static_cast<Index>(similarities.size());
  summary.merged = std::ranges::count_if(similarities, [&](double value) { return value >= least_cosine; });
  summary.threshold_1pct = threshold_for_few(similarities);
  summary.median_changed = similarities.empty() ? std::nullopt : std::optional(median(std::move(similarities)));
  return summary;
}

std::vector<ClassSummary> summarise_classes(std::span<const AuditedPair> pairs) {
  std::vector<std::pair<std::string, std::vector<const AuditedPair*>>> classes = {{kAllClasses, {}}};
  for (const AuditedPair& pair : pairs) {
    const std::string& name = pair.pair.class_name;
    if (!stands_alone(name)) classes.front().second.push_back(&pair);
    auto place = std::ranges::find(classes, name, [](const auto& entry) { return entry.first; });
    if (place == classes.end()) place = classes.insert(place, {name, {}});
    place->second.push_back(&pair);
  }
  std::vector<ClassSummary> summaries;
  summaries.reserve(classes.size());
  for (const auto& [name, members] : classes) summaries.push_back(summarise(name, members));
  return summaries;
}

std::vector<const AuditedPair*> most_similar(std::span<const AuditedPair> pairs, size_t most) {
  std::vector<const AuditedPair*> sorted;
  for (const AuditedPair& pair : pairs)
    if (!stands_alone(pair.pair.class_name)) sorted.push_back(&pair);
  std::ranges::stable_sort(sorted, std::greater<>(), [](const AuditedPair* pair) { return pair->found.changed; });
  std::set<std::vector<std::string>> seen;
  std::vector<const AuditedPair*> result;
  for (const AuditedPair* pair : sorted) {
    std::vector<std::string> words = pair->words;
    std::ranges::sort(words);  // "on" for "off" is as "off" for "on"
    if (result.size() < most && seen.insert(std::move(words)).second) result.push_back(pair);
  }
  return result;
}

double area_under_roc(std::span<const double> above, std::span<const double> below) {
  double wins = 0;
  for (const double a : above)
    for (const double b : below) wins += a > b ? 1 : a == b ? 0.5 : 0;
  return wins / (static_cast<double>(above.size()) * static_cast<double>(below.size()));
}

Record row_of(const AuditedPair& pair, const std::vector<std::string>& steps) {
  const auto step = [&](const std::optional<size_t>& k) { return k ? Value(steps[*k]) : Value(); };
  const auto& shares = pair.found.own_share;
  return {{"class", pair.pair.class_name},
          {"anchor", pair.pair.anchor},
          {"changed", pair.pair.changed},
          {"control", optional_value(pair.pair.control)},
          {"words", pair.words},
          {"similarity", pair.found.changed},
          {"control_similarity", optional_value(pair.found.control)},
          {"merged", pair.merged},
          {"control_kept", optional_value(pair.control_kept)},
          {"inverted", optional_value(pair.inverted)},
          {"lost_at", step(pair.lost_at)},
          {"apart_at", step(pair.apart_at)},
          {"own_share", shares.empty() ? Value() : optional_value(shares.back())}};
}

Record row_of(const ClassSummary& summary) {
  const RateInterval merges = wilson_interval(summary.merged, summary.pairs);
  const bool has_pairs = summary.pairs > 0, has_area = summary.auroc.has_value();
  const auto when = [](bool there, double value) { return there ? Value(value) : Value(); };
  Record row{{"class", summary.class_name},
             {"pairs", std::int64_t{summary.pairs}},
             {"median_changed", optional_value(summary.median_changed)},
             {"median_control", optional_value(summary.median_control)},
             {"false_merge_rate", optional_value(summary.merge_rate())},
             {"false_merge_low", when(has_pairs, merges.low)},
             {"false_merge_high", when(has_pairs, merges.high)},
             {"control_kept", optional_value(summary.keep_rate())},
             {"auroc", optional_value(summary.auroc)},
             {"auroc_low", when(has_area, summary.auroc_interval.low)},
             {"auroc_high", when(has_area, summary.auroc_interval.high)},
             {"inversion_rate", optional_value(summary.inversion_rate)},
             {"threshold_1pct", optional_value(summary.threshold_1pct)},
             {"control_kept_at_1pct", optional_value(summary.control_kept_at_1pct)}};
  if (!summary.changed_by_step.empty()) row.set("median_changed_by_step", summary.changed_by_step);
  if (!summary.control_by_step.empty()) row.set("median_control_by_step", summary.control_by_step);
  if (!summary.lost_by_step.empty()) row.set("lost_by_step", summary.lost_by_step);
  if (!summary.own_share_by_step.empty()) row.set("own_share_by_step", numbers_of(summary.own_share_by_step));
  return row;
}

}  // namespace wordsway
