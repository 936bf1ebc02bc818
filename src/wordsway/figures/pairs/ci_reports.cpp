#include "wordsway/figures/pairs/ci_reports.h"

#include <fmt/format.h>

#include "wordsway/figures/page/page_parts.h"

namespace wordsway {
namespace {

constexpr size_t kMostAnnotations = 10;
constexpr size_t kMostSummaryBytes = 1 << 20;

// One <testcase>; `failure` is empty if it passed.
std::string test_case(const std::string& suite, const std::string& name, const std::string& failure) {
  const std::string head =
      fmt::format("    <testcase classname=\"pairs.{}\" name=\"{}\"", escape_html(suite), escape_html(name));
  if (failure.empty()) return head + "/>\n";
  return fmt::format("{}>\n      <failure message=\"{}\"/>\n    </testcase>\n", head, escape_html(failure));
}

struct Suite {
  std::string name, cases;
  Index tests = 0, failures = 0;

  void add(const std::string& test, const std::string& failure) {
    cases += test_case(name, test, failure);
    ++tests;
    failures += failure.empty() ? 0 : 1;
  }
  std::string xml() const {
    return fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n{}  </testsuite>\n", escape_html(name),
                       tests, failures, cases);
  }
};

std::string name_of(const RuleOutcome& rule) {
  return fmt::format("{} ({})", rule.rule, rule.class_name);
}

std::string escape_command(const std::string& text, bool is_property) {
  std::string result;
  for (const char c : text) {
    const bool reserved = c == '%' || c == '\r' || c == '\n' || (is_property && (c == ':' || c == ','));
    result += reserved ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result;
}

std::string annotation(const std::string& file, const std::optional<Index>& line, const std::string& message) {
  std::string place;
  if (!file.empty()) place = fmt::format("file={},", escape_command(file, true));
  if (!file.empty() && line) place += fmt::format("line={},", *line);
  return fmt::format("::error {}title=wordsway pairs::{}\n", place, escape_command(message, false));
}

// A cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string result;
  for (const char c : escape_html(text)) result += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  return result;
}

std::string cell(const std::optional<double>& value, bool is_rate) {
  if (!value) return "–";
  return is_rate ? percent(*value) : fmt::format("{:.3f}", *value);
}

}  // namespace

std::string junit_xml(const PairAudit& audit) {
  std::vector<Suite> suites = {{"verdict", {}}};
  for (const RuleOutcome& rule : audit.verdict.rules)
    suites.front().add(name_of(rule), rule.passed ? "" : rule.sentence);
  for (const AuditedPair& pair : audit.pairs) {
    const std::string& name = pair.pair.class_name;
    auto place = std::ranges::find(suites.begin() + 1, suites.end(), name, &Suite::name);
    if (place == suites.end()) place = suites.insert(place, {name, {}});
    place->add(fmt::format("{} → {}", pair.pair.anchor, pair.pair.changed), failure_of(audit, pair).value_or(""));
  }
  Index tests = 0, failures = 0;
  std::string body;
  for (const Suite& suite : suites) {
    tests += suite.tests;
    failures += suite.failures;
    body += suite.xml();
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"wordsway pairs\" tests=\"{}\" failures=\"{}\">\n"
      "{}</testsuites>\n",
      tests, failures, body);
}

std::string github_annotations(const PairAudit& audit, const std::string& file) {
  std::vector<std::string> lines;
  for (const RuleOutcome& rule : audit.verdict.rules)
    if (!rule.passed) lines.push_back(annotation(file, {}, rule.sentence));
  for (const AuditedPair& pair : audit.pairs)
    if (const auto failure = failure_of(audit, pair))
      lines.push_back(annotation(file, pair.pair.line,
                                 fmt::format("{}: \"{}\" and \"{}\": {}", pair.pair.class_name, pair.pair.anchor,
                                             pair.pair.changed, *failure)));
  std::string result;
  for (size_t k = 0; k < std::min(lines.size(), kMostAnnotations); ++k) result += lines[k];
  if (lines.size() > kMostAnnotations)
    result += fmt::format("::notice title=wordsway pairs::{} more\n", lines.size() - kMostAnnotations);
  if (lines.empty())
    result = fmt::format("::notice title=wordsway pairs::{}\n",
                         audit.verdict.passed() ? "All rules hold." : "No rule was given, so nothing could fail.");
  return result;
}

std::string github_summary(const PairAudit& audit) {
  const std::optional<bool> passed = audit.verdict.passed();
  std::string result = fmt::format("### wordsway pairs: {}\n\n", !passed   ? "no rule was given"
                                                                 : *passed ? "all rules hold"
                                                                           : "a rule is broken");
  for (const RuleOutcome& rule : audit.verdict.rules)
    if (!rule.passed) result += fmt::format("- **{}**: {}\n", rule.rule, cell(rule.sentence));
  for (const std::string& sentence : audit.verdict.recommendation) result += fmt::format("- {}\n", cell(sentence));
  result +=
      "\n| class | pairs | changed (median cosine) | control | merged | kept | AUROC | inverted |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|\n";
  for (const ClassSummary& summary : audit.classes)
    result += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", cell(summary.class_name), summary.pairs,
                          cell(summary.median_changed, false), cell(summary.median_control, false),
                          cell(summary.merge_rate(), true), cell(summary.keep_rate(), true), cell(summary.auroc, false),
                          cell(summary.inversion_rate, true));
  // Users' own files may have any number of classes.
  if (result.size() > kMostSummaryBytes) result.resize(result.rfind('\n', kMostSummaryBytes - 1) + 1);
  return result;
}

}  // namespace wordsway
