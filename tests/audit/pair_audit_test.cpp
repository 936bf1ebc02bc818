// What follows from similarities: decisions, classes, verdicts. One audit drives all outputs.
#include "wordsway/audit/pair_audit.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/bytes.h"
#include "support/temporary_folder.h"
#include "wordsway/core/error.h"
#include "wordsway/random/stream.h"
#include "wordsway/text/pairs/builtin_pairs.h"

namespace wordsway {
namespace {

using json = nlohmann::json;
using testing::AllOf;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;

// A pair of this class whose changed text and control have these similarities.
struct Made {
  std::string class_name;
  double changed;
  std::optional<double> control = {};
};

PairAudit audit_of(const std::vector<Made>& made, const PairAuditOptions& options = {}) {
  std::vector<TextPair> pairs;
  std::vector<PairSimilarity> found;
  for (const auto& [name, changed, control] : made) {
    const std::string number = std::to_string(pairs.size());
    pairs.push_back(
        {"anchor " + number, "changed " + number, control ? std::optional("control " + number) : std::nullopt, name});
    found.push_back({changed, control});
  }
  return audit_pairs(std::move(found), std::move(pairs), {}, options);
}

PairAuditOptions with_rules(const PairRules& rules) {
  PairAuditOptions options;
  options.rules = rules;
  return options;
}

const ClassSummary& class_of(const PairAudit& audit, const std::string& name) {
  for (const ClassSummary& summary : audit.classes)
    if (summary.class_name == name) return summary;
  throw std::out_of_range(name);
}

TEST(Decision, IsAtOrAboveTheThreshold) {
  const PairAudit audit = audit_of({{"a", 0.8, 0.9}, {"a", 0.79, 0.7}, {"a", 0.9, 0.9}});
  EXPECT_TRUE(audit.pairs[0].merged);
  EXPECT_FALSE(audit.pairs[1].merged);
  EXPECT_THAT(audit.pairs[0].control_kept, Optional(true));
  EXPECT_THAT(audit.pairs[1].control_kept, Optional(false));
  EXPECT_THAT(audit.pairs[0].inverted, Optional(false));
  EXPECT_THAT(audit.pairs[1].inverted, Optional(true));
  EXPECT_THAT(audit.pairs[2].inverted, Optional(false));  // a tie is none
}

TEST(Decision, SaysFromWhereOnAPairIsLost) {
  const auto lost = [](std::vector<double> steps) {
    PairSimilarity found{steps.back()};
    found.by_step = std::move(steps);
    const AuditedPair pair = decide({"a", "b"}, found, 0.8);
    return std::pair(pair.lost_at, pair.apart_at);
  };
  EXPECT_EQ(lost({0.9, 0.95, 0.9}), std::pair(std::optional<size_t>(0), std::optional<size_t>(0)));
  EXPECT_EQ(lost({0.9, 0.7, 0.9, 0.8}), std::pair(std::optional<size_t>(2), std::optional<size_t>(1)));
  EXPECT_EQ(lost({0.9, 0.7 + 1e-8, 0.7}), std::pair(std::optional<size_t>(), std::optional<size_t>(1)));
  EXPECT_EQ(lost({0.9, 0.9, 0.7}), std::pair(std::optional<size_t>(), std::optional<size_t>(2)));
}

TEST(Summary, CountsNeutralAndRoleSwapApart) {
  const PairAudit audit =
      audit_of({{"time", 0.9, 0.7}, {"neutral", 0.9, 0.9}, {"role-swap", 0.99, 0.7}, {"number", 0.5, 0.9}});
  EXPECT_EQ(audit.all().pairs, 2);
  EXPECT_EQ(audit.all().merged, 1);
  EXPECT_EQ(class_of(audit, "neutral").merged, 1);
  EXPECT_EQ(class_of(audit, "role-swap").pairs, 1);
  EXPECT_EQ(audit.classes.size(), 5U);
}

TEST(Summary, HasTheAreaOfAllPairsOfSimilarities) {
  const Stream stream(3);
  std::vector<Made> made;
  std::vector<double> changed, controls;
  for (std::uint64_t k = 0; k < 60; ++k) {
    changed.push_back(std::round(stream.uniform(2 * k) * 20) / 20);  // ties
    made.push_back({"a", changed.back()});
    if (k % 3 == 0) continue;
    controls.push_back(std::round(stream.uniform(2 * k + 1) * 20) / 20);
    made.back().control = controls.back();
  }
  const ClassSummary all = audit_of(made).all();
  EXPECT_THAT(all.auroc, Optional(testing::DoubleNear(area_under_roc(controls, changed), 1e-12)));
  EXPECT_LT(all.auroc_interval.low, *all.auroc);
  EXPECT_GT(all.auroc_interval.high, *all.auroc);
  // sklearn.metrics.roc_auc_score([1,1,1,0,0,0,0], [.3,.8,.5,.5,.2,.9,.1])
  EXPECT_DOUBLE_EQ(area_under_roc(std::vector{0.3, 0.8, 0.5}, std::vector{0.5, 0.2, 0.9, 0.1}), 0.625);
}

// The bootstrap interval of well separated normal scores should hold the truth about 95 times in a hundred.
TEST(Summary, HasABootstrapIntervalThatHoldsTheTruth) {
  int held = 0;
  const int runs = 100;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const Stream stream = Stream(run).derive("scores");
    std::vector<Made> made;
    for (std::uint64_t k = 0; k < 80; ++k)  // control = changed + 0.25 in distribution: the area is 1 − 0.75²/2
      made.push_back({"a", 0.5 * stream.uniform(2 * k), 0.125 + 0.5 * stream.uniform(2 * k + 1)});
    const ClassSummary all = audit_of(made).all();
    const double truth = 1 - 0.75 * 0.75 / 2;
    held += all.auroc_interval.low <= truth && truth <= all.auroc_interval.high ? 1 : 0;
  }
  EXPECT_GE(held, 88);
  EXPECT_LE(held, 100);
}

TEST(Summary, HasTheLeastThresholdAtWhichOnePercentMerges) {
  std::vector<Made> made;
  for (int k = 0; k < 200; ++k) made.push_back({"a", 0.5 + 0.002 * k, 0.9});
  const ClassSummary all = audit_of(made).all();
  ASSERT_TRUE(all.threshold_1pct);
  const auto merged_at = [&](double threshold) {
    return std::ranges::count_if(made, [&](const Made& pair) { return pair.changed >= threshold; });
  };
  EXPECT_EQ(merged_at(*all.threshold_1pct), 2);
  EXPECT_GT(merged_at(*all.threshold_1pct - 1e-4), 2);
  EXPECT_THAT(all.control_kept_at_1pct, Optional(DoubleEq(1)));
  // Where more than 1% are equal to their anchor, there is none.
  EXPECT_EQ(audit_of({{"a", 1, 0.9}, {"a", 0.5, 0.9}}).all().threshold_1pct, std::nullopt);
}

TEST(Summary, OfNothingIsMissing) {
  const PairAudit audit = audit_of({{"neutral", 0.9}});
  EXPECT_EQ(audit.all().pairs, 0);
  const Record row = row_of(audit.all());
  for (const char* key : {"median_changed", "false_merge_rate", "false_merge_low", "auroc", "threshold_1pct"})
    EXPECT_TRUE(row.missing(key)) << key;
  EXPECT_THROW(audit_of({{"neutral", 0.9}}, with_rules({.max_false_merges = 0.5})), DataError);
  EXPECT_THROW(audit_of({{"a", 0.9}}, with_rules({.min_kept = 0.5})), DataError);
}

// Rules, broken one by one.

std::vector<Made> good_pairs() {
  std::vector<Made> made;
  for (int k = 0; k < 40; ++k) made.push_back({k % 2 == 0 ? "time" : "state", 0.5, 0.9});
  return made;
}

TEST(Verdict, IsNoneWithoutRulesAndPassesWhatIsGood) {
  EXPECT_EQ(audit_of(good_pairs()).verdict.passed(), std::nullopt);
  EXPECT_THAT(audit_of(good_pairs(), with_rules({.max_false_merges = 0.01, .min_kept = 0.9})).verdict.passed(),
              Optional(true));
}

TEST(Verdict, FailsWhenTheGuardIsSwitchedOff) {
  const PairRules rules{.max_false_merges = 0.01, .min_kept = 0.9};
  std::vector<Made> ones = good_pairs(), shuffled = good_pairs();
  for (Made& pair : ones) pair.changed = 1, pair.control = 1;
  for (Made& pair : shuffled) pair.changed = 0.01, pair.control = -0.02;
  const PairVerdict all_equal = audit_of(ones, with_rules(rules)).verdict;
  EXPECT_THAT(all_equal.passed(), Optional(false));
  EXPECT_TRUE(all_equal.is_broken("max-false-merges", "all"));
  EXPECT_FALSE(all_equal.is_broken("min-kept", "all"));
  const PairVerdict noise = audit_of(shuffled, with_rules(rules)).verdict;
  EXPECT_THAT(noise.passed(), Optional(false));
  EXPECT_TRUE(noise.is_broken("min-kept", "all"));
  EXPECT_FALSE(noise.is_broken("max-false-merges", "all"));
}

class Baseline : public testing::Test {
 protected:
  // Against a run in which everything was good.
  PairVerdict against_good(const std::vector<Made>& now) {
    return audit_of(now, with_rules({.baseline = parse_pair_baseline(to_json(audit_of(good_pairs())), "base.json")}))
        .verdict;
  }
};

TEST_F(Baseline, PassesTheSameAndWhatMayBeChance) {
  EXPECT_THAT(against_good(good_pairs()).passed(), Optional(true));
  std::vector<Made> few = good_pairs();
  for (size_t k = 0; k < 7; ++k) few[k].changed = 0.9;  // 7 of all: p = 0.016; 4 and 3 by class
  EXPECT_THAT(against_good(few).passed(), Optional(true));
}

TEST_F(Baseline, FailsWhatIsWorseBeyondChanceByClassAndInAll) {
  std::vector<Made> merges = good_pairs(), losses = good_pairs();
  for (size_t k = 0; k < 16; k += 2) merges[k].changed = 0.9;  // 8 of time: p = 0.0078
  const PairVerdict merged = against_good(merges);
  EXPECT_TRUE(merged.is_broken("baseline", "time"));
  EXPECT_TRUE(merged.is_broken("baseline", "all"));
  EXPECT_FALSE(merged.is_broken("baseline", "state"));
  EXPECT_THAT(merged.failures(),
              AllOf(HasSubstr("time: 8 pairs merge"), HasSubstr("base.json"), HasSubstr("p = 0.0078")));
  for (size_t k = 1; k < 17; k += 2) losses[k].control = 0.5;
  const PairVerdict lost = against_good(losses);
  EXPECT_TRUE(lost.is_broken("baseline", "state"));
  EXPECT_THAT(lost.failures(), HasSubstr("state: 8 paraphrases are lost"));
}

TEST_F(Baseline, ThatIsBetterIsNoReasonToFailAndOneOfOtherPairsIsRefused) {
  std::vector<Made> bad = good_pairs();
  for (Made& pair : bad) pair.changed = 0.95;
  const PairBaseline before = parse_pair_baseline(to_json(audit_of(bad)), "base.json");
  EXPECT_THAT(audit_of(good_pairs(), with_rules({.baseline = before})).verdict.passed(), Optional(true));
  EXPECT_THROW(audit_of({{"other", 0.5}}, with_rules({.baseline = before})), DataError);
  for (const char* wrong : {"", "[]", "{\"rows\": 5}", "{\"rows\": [{}]}", "{\"rows\": [{\"merged\": 1}]}"})
    EXPECT_THROW(parse_pair_baseline(wrong, "base.json"), DataError) << wrong;
}

TEST(Failure, OfAPairFollowsTheVerdict) {
  std::vector<Made> made = good_pairs();
  made[0].changed = 0.9;
  made[1].control = 0.3;
  made.push_back({"neutral", 0.9, 0.9});
  const auto failures = [&](const PairRules& rules) {
    const PairAudit audit = audit_of(made, with_rules(rules));
    std::vector<size_t> failing;
    for (size_t k = 0; k < audit.pairs.size(); ++k)
      if (failure_of(audit, audit.pairs[k])) failing.push_back(k);
    return failing;
  };
  EXPECT_THAT(failures({}), ElementsAre());
  EXPECT_THAT(failures({.max_false_merges = 0.5, .min_kept = 0.5}), ElementsAre());
  EXPECT_THAT(failures({.max_false_merges = 0}), ElementsAre(0));
  EXPECT_THAT(failures({.min_kept = 1}), ElementsAre(1));
  EXPECT_THAT(failures({.max_false_merges = 0, .min_kept = 1}), ElementsAre(0, 1));
}

// What it says at the end.

TEST(Recommendation, NamesAThresholdOrSaysThatNoneHelps) {
  std::vector<Made> apart, upside_down;
  for (int k = 0; k < 400; ++k) {
    apart.push_back({"time", 0.5 + 0.0005 * k, 0.9});
    upside_down.push_back({"time", 0.9 + 0.0001 * k, 0.6});
  }
  const auto says = [](const PairAudit& audit) {
    return fmt::format("{}", fmt::join(audit.verdict.recommendation, "\n"));
  };
  EXPECT_THAT(says(audit_of(apart)),
              AllOf(HasSubstr("Use cosine ≥ 0.69"), HasSubstr("keeps 100%"), HasSubstr("0 of 400"),
                    HasSubstr("at most 3/n, 0.8%"), HasSubstr("Nothing merged in: time")));
  EXPECT_THAT(says(audit_of(upside_down)),
              AllOf(HasSubstr("No threshold helps"), HasSubstr("100% of the paraphrases are lost"),
                    HasSubstr("need a second check at cosine ≥ 0.8: time 100%"), Not(HasSubstr("are few"))));
  EXPECT_THAT(says(audit_of(good_pairs())), HasSubstr("40 pairs are few"));
  PairAuditOptions distance;
  distance.threshold = {0.2, SimilarityUnit::kDistance};
  EXPECT_THAT(says(audit_of(apart, distance)), HasSubstr("Use distance ≤ 0.3"));
}

// Every two texts.

TEST(AllTexts, MustStayApart) {
  Matrix vectors(3, 2);
  vectors << 1, 0, 0.9, 0.1, 0, 2;
  const std::vector<std::string> texts = {"a", "b", "c"};
  PairAuditOptions options = with_rules({.max_false_merges = 0});
  const PairAudit audit = audit_all(vectors, texts, options);
  EXPECT_EQ(audit.all().pairs, 3);
  EXPECT_EQ(audit.all().merged, 1);
  ASSERT_EQ(audit.pairs.size(), 1U);
  EXPECT_EQ(audit.pairs[0].pair.anchor, "a");
  EXPECT_EQ(audit.pairs[0].pair.changed, "b");
  EXPECT_NEAR(audit.pairs[0].found.changed, 0.9 / std::sqrt(0.82), 1e-12);
  EXPECT_THAT(audit.verdict.passed(), Optional(false));
  options.threshold.value = 0.999;
  EXPECT_THAT(audit_all(vectors, texts, options).verdict.passed(), Optional(true));
  EXPECT_THROW(audit_all(vectors.topRows(1), std::span(texts).first(1), options), DataError);
}

TEST(AllTexts, HaveTheSimilaritiesOfEveryTwo) {
  const Stream stream(1);
  Matrix vectors(30, 5);
  for (Index k = 0; k < vectors.size(); ++k) vectors(k / 5, k % 5) = stream.uniform(static_cast<std::uint64_t>(k));
  std::vector<std::string> texts;
  Index expected = 0;
  for (Index i = 0; i < 30; ++i) {
    texts.push_back(std::to_string(i));
    for (Index j = 0; j < i; ++j)
      expected += vectors.row(i).dot(vectors.row(j)) / (vectors.row(i).norm() * vectors.row(j).norm()) >= 0.8 ? 1 : 0;
  }
  const PairAudit audit = audit_all(vectors, texts, {});
  EXPECT_EQ(audit.all().pairs, 435);
  EXPECT_EQ(audit.all().merged, expected);
  EXPECT_EQ(static_cast<Index>(audit.pairs.size()), expected);
  for (size_t k = 1; k < audit.pairs.size(); ++k)
    EXPECT_GE(audit.pairs[k - 1].found.changed, audit.pairs[k].found.changed);
}

TEST(Json, HasTheKeysOfTheContract) {
  const json document = json::parse(to_json(audit_of(good_pairs(), with_rules({.min_kept = 0.5}))));
  for (const char* key : {"config", "rows", "classes", "verdict"}) EXPECT_TRUE(document.contains(key)) << key;
  for (const char* key : {"class", "anchor", "changed", "control", "words", "similarity", "control_similarity",
                          "merged", "control_kept", "inverted", "lost_at", "apart_at"})
    EXPECT_TRUE(document["rows"][0].contains(key)) << key;
  for (const char* key :
       {"class", "pairs", "median_changed", "median_control", "false_merge_rate", "false_merge_low", "false_merge_high",
        "control_kept", "auroc", "inversion_rate", "threshold_1pct", "control_kept_at_1pct"})
    EXPECT_TRUE(document["classes"][0].contains(key)) << key;
  EXPECT_EQ(document["classes"][0]["class"], "all");
  EXPECT_EQ(document["verdict"]["passed"], true);
  EXPECT_TRUE(document["rows"][0]["lost_at"].is_null());
}

}  // namespace
}  // namespace wordsway
