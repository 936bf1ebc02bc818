// One verdict drives every file: each rule is broken, and all of them must say so.
#include <gmock/gmock.h>

#include "support/xml_check.h"
#include "wordsway/figures/pairs/ci_reports.h"
#include "wordsway/figures/pairs/pairs_page.h"

namespace wordsway {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string kStrange = "100% \"sure\" ]]> <b>\x01\xff</b> a:b,c\r\n| 世界";

// Thirty pairs, the first `merged` of which merge and the last `lost` of which have a lost paraphrase.
PairAudit audit_of(size_t merged, size_t lost, const PairRules& rules, const std::string& text = "turn it on") {
  std::vector<TextPair> pairs;
  std::vector<PairSimilarity> found;
  for (size_t k = 0; k < 30; ++k) {
    pairs.push_back({text + std::to_string(k), text + " off", text + " now", k % 2 == 0 ? "state" : "time",
                     static_cast<Index>(k + 2)});
    PairSimilarity one{k < merged ? 0.95 : 0.4, k + lost >= 30 ? 0.3 : 0.9};
    one.by_step = one.control_by_step = {0.99, 0.7, one.changed};
    one.own_share = {1.0, 0.5};
    found.push_back(one);
  }
  PairAuditOptions options;
  options.rules = rules;
  return audit_pairs(std::move(found), std::move(pairs), {"embedding", "layer 1", "normalise"}, options);
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

struct Expected {
  bool passed;
  size_t failures;  // in JUnit
  std::string sentence;
};

void expect_everywhere(const PairAudit& audit, const Expected& expected) {
  EXPECT_EQ(audit.verdict.passed(), expected.passed);
  const std::string junit = junit_xml(audit), github = github_annotations(audit, "pairs.csv"),
                    summary = github_summary(audit), page = pairs_html(audit), json = to_json(audit);
  EXPECT_EQ(test::what_is_wrong_with_xml(junit), "");
  EXPECT_EQ(count(junit, "<failure"), expected.failures);
  EXPECT_EQ(count(junit, "<testcase"), audit.verdict.rules.size() + audit.pairs.size());
  EXPECT_EQ(count(github, "::error") > 0, !expected.passed);
  EXPECT_THAT(json, HasSubstr(expected.passed ? "\"passed\": true, \"rules\"" : "\"passed\": false, \"rules\""));
  EXPECT_THAT(page, HasSubstr(expected.passed ? "class=\"outcome good\"" : "class=\"outcome bad\""));
  EXPECT_THAT(summary, HasSubstr(expected.passed ? "all rules hold" : "a rule is broken"));
  if (expected.passed) return;
  for (const std::string& output : {junit, summary, page, json}) EXPECT_THAT(output, HasSubstr(expected.sentence));
  EXPECT_THAT(audit.verdict.failures(), HasSubstr(expected.sentence));
}

TEST(OneVerdict, IsInEveryFile) {
  expect_everywhere(audit_of(3, 3, {.max_false_merges = 0.2, .min_kept = 0.5}), {true, 0, ""});
  expect_everywhere(audit_of(4, 3, {.max_false_merges = 0.05, .min_kept = 0.5}), {false, 5, "false merges: 4 of 30"});
  expect_everywhere(audit_of(4, 6, {.max_false_merges = 0.5, .min_kept = 0.9}),
                    {false, 7, "paraphrases kept: 24 of 30"});
  const PairBaseline before = parse_pair_baseline(to_json(audit_of(0, 0, {})), "base.json");
  expect_everywhere(audit_of(16, 0, {.baseline = before}), {false, 19, "16 pairs merge that were apart"});
  expect_everywhere(audit_of(0, 9, {.baseline = before}), {false, 10, "9 paraphrases are lost"});
}

TEST(Annotations, AreTenAndTheNumberOfTheRest) {
  const std::string text = github_annotations(audit_of(20, 0, {.max_false_merges = 0}), "my,pairs.csv");
  EXPECT_EQ(count(text, "::error "), 10U);
  EXPECT_THAT(text, AllOf(HasSubstr("file=my%2Cpairs.csv,line=2,title=wordsway pairs::state: "),
                          HasSubstr("::notice title=wordsway pairs::11 more\n")));
  EXPECT_THAT(github_annotations(audit_of(0, 0, {}), ""), HasSubstr("No rule was given"));
  const std::string strange = github_annotations(audit_of(1, 0, {.max_false_merges = 0}, kStrange), "");
  EXPECT_EQ(count(strange, "\n"), 2U);
  EXPECT_THAT(strange, AllOf(HasSubstr("100%25"), HasSubstr("%0D%0A"), Not(HasSubstr("file="))));
}

TEST(StepSummary, IsOneTable) {
  const std::string text = github_summary(audit_of(1, 0, {}, kStrange));
  EXPECT_THAT(text, AllOf(HasSubstr("| all | 30 |"), HasSubstr("| state | 15 |"), HasSubstr("no rule was given")));
}

TEST(Junit, EscapesWhateverATextHolds) {
  const std::string text = junit_xml(audit_of(2, 0, {.max_false_merges = 0}, kStrange));
  EXPECT_EQ(test::what_is_wrong_with_xml(text), "");
  EXPECT_THAT(text, Not(HasSubstr("\x01")));
}

TEST(PairsPage, MarksTheChangedWordAndEscapesTheRest) {
  const std::string page = pairs_html(audit_of(3, 2, {}, "<i>turn it"));
  EXPECT_THAT(page, AllOf(HasSubstr("&lt;i&gt;turn"), Not(HasSubstr("<i>turn")), HasSubstr("<mark>it0</mark>"),
                          HasSubstr("The 20 most similar pairs, one for each changed word"),
                          HasSubstr("lost from normalise on"), HasSubstr("carry 50% of the difference")));
}

}  // namespace
}  // namespace wordsway
