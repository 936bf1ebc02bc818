#include "wordsway/audit/pair_audit.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/json.h"
#include "wordsway/text/pairs/pair_file.h"

namespace wordsway {
namespace {

struct Merged {
  double similarity;
  Index first, second;
};

std::string json_list(const std::vector<std::string>& items) {
  return items.empty() ? "[]" : fmt::format("[\n    {}\n  ]", fmt::join(items, ",\n    "));
}

Record row_of(const RuleOutcome& rule) {
  return {{"rule", rule.rule},         {"class", rule.class_name}, {"limit", rule.limit},
          {"measured", rule.measured}, {"passed", rule.passed},    {"sentence", rule.sentence}};
}

std::string verdict_json(const PairVerdict& verdict) {
  std::vector<std::string> rules;
  rules.reserve(verdict.rules.size());
  for (const RuleOutcome& rule : verdict.rules) rules.push_back(to_json(row_of(rule)));
  return fmt::format("{{\"passed\": {}, \"rules\": [{}], \"recommendation\": {}}}",
                     value_to_json(optional_value(verdict.passed())), fmt::join(rules, ", "),
                     value_to_json(verdict.recommendation));
}

// The settings that rows depend on besides the model or the vectors.
Record config_of(const PairAuditOptions& options, Index pairs) {
  const Threshold& threshold = options.threshold;
  return {{"pairs_from", options.name},
          {"pairs", std::int64_t{pairs}},
          {"threshold", threshold.value},
          {"unit", to_string(threshold.unit)},
          {"preset", threshold.preset.empty() ? Value() : Value(threshold.preset)},
          {"cosine", threshold.cosine()}};
}

std::string digest_of_texts(std::span<const std::string> texts) {
  Digest digest;
  for (const std::string& text : texts) digest.add(text);
  return digest.text();
}

void add_model(Record& config, const Model& model, const std::string& prompt, const std::string& texts) {
  Record content = content_of(model);
  content.merge({{"prompt", prompt}, {"texts", texts}});
  config.merge({{"model", model.transformer->name()},
                {"chain", model.transformer->sentence_chain().describe()},
                {"prompt", prompt},
                {"fingerprint", digest_of(content)}});
}

void add_vectors(Record& config, const Matrix& vectors, const std::string& texts) {
  config.merge(
      {{"model", Value()}, {"fingerprint", digest_of(Record{{"vectors", digest_of(vectors)}, {"texts", texts}})}});
}

PairAudit compare_all(std::span<const std::string> texts, const Matrix& units, const PairAuditOptions& options) {
  const auto n = static_cast<Index>(texts.size());
  const double least = options.threshold.cosine();
  std::vector<double> similarities(static_cast<size_t>(n * (n - 1) / 2));
  parallel_for(n, [&](Index i) {
    const Index begin = i * n - i * (i + 1) / 2;  // of the pairs (i, j > i)
    const Eigen::VectorXd row = units.bottomRows(n - 1 - i) * units.row(i).transpose();
    for (Index k = 0; k < row.size(); ++k) similarities[static_cast<size_t>(begin + k)] = std::clamp(row[k], -1.0, 1.0);
  });
  std::vector<Merged> merged;
  for (Index i = 0, k = 0; i < n; ++i)
    for (Index j = i + 1; j < n; ++j, ++k)
      if (const double similarity = similarities[static_cast<size_t>(k)]; similarity >= least)
        merged.push_back({similarity, i, j});
  std::ranges::stable_sort(merged, std::greater<>(), &Merged::similarity);
  merged.resize(std::min(merged.size(), kMostMerged));

  PairAudit audit;
  audit.threshold = options.threshold;
  for (const auto& [similarity, i, j] : merged)
    audit.pairs.push_back(
        decide({texts[static_cast<size_t>(i)], texts[static_cast<size_t>(j)], {}, kAllClasses}, {similarity}, least));
  audit.classes = {summarise(kAllClasses, std::move(similarities), least)};
  audit.verdict = judge_pairs(audit.pairs, audit.classes, options.threshold, options.rules);
  audit.config = config_of(options, audit.all().pairs);
  return audit;
}

}  // namespace

PairAudit audit_pairs(const Model& model, std::vector<TextPair> pairs, const PairAuditOptions& options,
                      const Progress& progress) {
  std::vector<PairSimilarity> found = pair_similarities(model, pairs, options.prompt, progress);
  return audit_pairs(model, std::move(found), std::move(pairs), options);
}

PairAudit audit_pairs(const Model& model, std::vector<PairSimilarity> found, std::vector<TextPair> pairs,
                      const PairAuditOptions& options) {
  const std::string texts = digest_of_texts(distinct_texts(pairs));
  PairAudit audit = audit_pairs(std::move(found), std::move(pairs), similarity_steps(*model.transformer), options);
  add_model(audit.config, model, options.prompt, texts);
  return audit;
}

PairAudit audit_pairs(const Matrix& vectors, std::vector<TextPair> pairs, const PairAuditOptions& options) {
  const std::string texts = digest_of_texts(distinct_texts(pairs));
  std::vector<PairSimilarity> found = pair_similarities(pairs, vectors);
  PairAudit audit = audit_pairs(std::move(found), std::move(pairs), {}, options);
  add_vectors(audit.config, vectors, texts);
  return audit;
}

PairAudit audit_pairs(std::vector<PairSimilarity> found, std::vector<TextPair> pairs, std::vector<std::string> steps,
                      const PairAuditOptions& options) {
  if (pairs.size() != found.size()) throw UsageError("an audit needs one similarity for each pair");
  PairAudit audit;
  audit.threshold = options.threshold;
  audit.config = config_of(options, static_cast<Index>(pairs.size()));
  if (!steps.empty()) audit.config.set("steps", steps);
  audit.steps = std::move(steps);
  audit.pairs.reserve(pairs.size());
  for (size_t k = 0; k < pairs.size(); ++k)
    audit.pairs.push_back(decide(std::move(pairs[k]), std::move(found[k]), options.threshold.cosine()));
  if (options.rules.baseline)
    for (AuditedPair& pair : audit.pairs) pair.regression = regression_of(pair, *options.rules.baseline);
  audit.classes = summarise_classes(audit.pairs);
  audit.verdict = judge_pairs(audit.pairs, audit.classes, options.threshold, options.rules);
  return audit;
}

void check_texts_to_compare(std::span<const std::string> texts) {
  const auto n = static_cast<Index>(texts.size());
  if (n < 2) throw DataError("there are fewer than two different texts, so none that must stay apart");
  if (n > kMostTextsToCompare)
    throw DataError(fmt::format("there are {} texts; every two of them are compared, which is done for {} at most", n,
                                kMostTextsToCompare));
}

PairAudit audit_all(const Model& model, std::span<const std::string> texts, const PairAuditOptions& options,
                    const Progress& progress) {
  check_texts_to_compare(texts);
  return audit_all(model, unit_vectors(model, texts, options.prompt, progress), texts, options);
}

PairAudit audit_all(const Model& model, const Matrix& units, std::span<const std::string> texts,
                    const PairAuditOptions& options) {
  check_texts_to_compare(texts);
  PairAudit audit = compare_all(texts, units, options);
  add_model(audit.config, model, options.prompt, digest_of_texts(texts));
  return audit;
}

PairAudit audit_all(const Matrix& vectors, std::span<const std::string> texts, const PairAuditOptions& options) {
  check_texts_to_compare(texts);
  PairAudit audit = compare_all(texts, unit_vectors(vectors, static_cast<Index>(texts.size())), options);
  add_vectors(audit.config, vectors, digest_of_texts(texts));
  return audit;
}

std::optional<std::string> failure_of(const PairAudit& audit, const AuditedPair& pair) {
  const std::string& name = pair.pair.class_name;
  const bool counts = !stands_alone(name);
  const auto broken = [&](const char* rule) { return counts && audit.verdict.is_broken(rule, kAllClasses); };
  const bool worse = broken("baseline") || audit.verdict.is_broken("baseline", name);
  const std::string limit = audit.threshold.describe();
  if (pair.merged && broken("max-false-merges"))
    return fmt::format("merges at {}: the cosine of the two texts is {:.4f}", limit, pair.found.changed);
  if (worse && pair.regression.pair)
    return fmt::format("{} at {}, and did not in the baseline: the cosine of the two texts is {:.4f}",
                       pair.merged ? "merges" : "comes apart", limit, pair.found.changed);
  if (!pair.control_kept.value_or(true) && (broken("min-kept") || (worse && pair.regression.control)))
    return fmt::format("its paraphrase is lost at {}: the cosine is {:.4f}", limit, *pair.found.control);
  return std::nullopt;
}

std::string to_json(const PairAudit& audit) {
  std::vector<std::string> rows, classes;
  rows.reserve(audit.pairs.size());
  for (const AuditedPair& pair : audit.pairs) rows.push_back(to_json(row_of(pair, audit.steps)));
  for (const ClassSummary& summary : audit.classes) classes.push_back(to_json(row_of(summary)));
  return fmt::format("{{\n  \"config\": {},\n  \"rows\": {},\n  \"classes\": {},\n  \"verdict\": {}\n}}\n",
                     to_json(audit.config), json_list(rows), json_list(classes), verdict_json(audit.verdict));
}

}  // namespace wordsway
