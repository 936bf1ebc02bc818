// Beyond the paper: the bounds assume nothing about the words but their norms. Does it matter for word sensitivity how
// alike the words are?
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

constexpr double kMostSpread = 1.1;        // of rf: the largest S of a kind of words over the smallest
constexpr double kLeastSensitivity = 0.9;  // of raf in the longest texts; if all words are the same, S is 1
constexpr double kLeastFall = 2;           // of raf: S with orthogonal words over S with identical words
constexpr double kLowExponent = -0.7, kHighExponent = -0.4;  // of rf with every kind of words, as in Figure 2

// Labels of the kinds of words that charts and verdicts use.
constexpr const char *kOrthogonal = "orthogonal, orthogonal", *kEmbeddings = "embeddings",
                     *kAllOne = "repeated words, repeated:1";

// Kinds of words, from unrelated to identical. Each family is one curve.
struct Kind {
  std::string family, data;
};
std::vector<Kind> kinds(const FigureSetting& setting) {
  std::vector<Kind> all = {{"orthogonal", "orthogonal"}, {"independent", "sphere"}};
  const auto add = [&](const char* family, const char* law, const std::vector<double>& values) {
    for (const double value : values) all.push_back({family, fmt::format("{}:{:g}", law, value)});
  };
  const bool quick = setting.profile == Profile::kQuick;
  add("a shared direction", "spiked", quick ? std::vector<double>{0.3, 0.9} : std::vector<double>{0.1, 0.3, 0.6, 0.9});
  add("neighbours alike", "correlated", quick ? std::vector<double>{0.9} : std::vector<double>{0.7, 0.9, 0.99});
  add("repeated words", "repeated", quick ? std::vector<double>{3, 1} : std::vector<double>{10, 3, 1});
  all.push_back({kEmbeddings, ""});
  return all;
}

// The effect of one word on random features does not depend on d, so a small d will do. They are wide, so that S varies
// little between draws of the weights.
constexpr Index kFeaturesWidth = 4096;

std::shared_ptr<const Study> of_kind(const FigureSetting& setting, const Kind& kind, Index d) {
  MeasureConfig config = measure_config(setting);
  config.trials = setting.by_profile<Index>(4, 4, 10);
  config.first_direction = true;
  config.data = kind.data.empty() ? setting.data : synthetic_source(kind.data, setting.seed);
  MeasureConfig attention = config, features = config;
  attention.maps = {"raf"};
  attention.n = setting.by_profile<std::vector<Index>>({10, 20, 40}, {12, 25, 50, 100}, {12, 25, 50, 100, 250});
  attention.d = {d};
  features.maps = {"rf"};
  features.n = setting.by_profile<std::vector<Index>>({10, 20, 40}, {12, 25, 50}, {12, 25, 50, 100});
  features.d = {std::min(d, setting.by_profile<Index>(64, 64, 128))};
  features.parameters["width"] = parameter_list<Index>({kFeaturesWidth});
  std::vector<StudyPart> parts = {{"attention", std::make_shared<MeasureStudy>(attention)},
                                  {"features", std::make_shared<MeasureStudy>(features)}};
  return std::make_shared<JoinedStudy>("family", std::move(parts));
}

FigureStudy study(const FigureSetting& setting) {
  const Sizes sizes = model_dimensions(setting);
  std::vector<StudyPart> parts;
  for (const Kind& kind : kinds(setting))
    parts.push_back(
        {kind.family + (kind.data.empty() ? "" : ", " + kind.data), of_kind(setting, kind, sizes.values.back())});
  return {std::make_shared<JoinedStudy>("words", std::move(parts)), sizes.note};
}

std::string family_of(const std::string& label) {
  return label.substr(0, label.find(','));
}

// S against the share of variance in the first direction: one curve per family, one point per kind, means over trials.
LineChart against_share(const std::string& title, const Rows& rows) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "share of the words' variance in the first direction";
  chart.y_label = "word sensitivity S";
  chart.log_y = false;
  std::vector<std::string> families;
  for (const std::string& label : distinct_texts(rows, "words"))
    if (std::find(families.begin(), families.end(), family_of(label)) == families.end())
      families.push_back(family_of(label));
  for (const std::string& family : families) {
    Series series{family, {}, {}};
    for (const std::string& label : distinct_texts(rows, "words")) {
      const Rows own = rows_where(rows, "words", label);
      const Interval share = mean_of(numbers_of(own, "first_direction")), S = mean_of(numbers_of(own, "sensitivity"));
      if (family_of(label) != family || !std::isfinite(share.value) || !std::isfinite(S.value)) continue;
      series.x.push_back(share.value);
      series.y.push_back(S.value);
      series.low.push_back(S.low);
      series.high.push_back(S.high);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  const Rows raf = rows_where(rows, "map", "raf"), rf = rows_where(rows, "map", "rf");
  const auto in_longest = [](const std::string& what, const Rows& own) {
    const Rows longest = at_largest(own, "n");
    const std::string where = longest.empty() ? "" : fmt::format(", n = {:g}", longest.front().number("n"));
    return against_share(what + where, longest);
  };
  LineChart of_n = sensitivity_chart("Whatever the words, against context length", {});
  for (const Rows& map : {raf, rf})
    for (const std::string& label : distinct_texts(map, "words")) {
      if (label != kOrthogonal && label != kEmbeddings && label != kAllOne) continue;
      const Rows own = rows_where(map, "words", label);
      const std::string name = label == kAllOne ? "all one word" : family_of(label);
      of_n.series.push_back(curve(own.front().text("map") + ", " + name, own, "n", "sensitivity"));
    }
  return {
      line_panel(in_longest("Softmax attention", raf),
                 "Points are kinds of words, bands 95% intervals. From 1/n (orthogonal words) to 1 (all one word)."),
      line_panel(in_longest("Random features", rf)), line_panel(std::move(of_n))};
}

// One number for each kind of words; nothing if any is missing.
std::vector<Interval> of_each_kind(const Rows& rows, const std::function<Interval(const Rows&)>& number) {
  std::vector<Interval> found;
  for (const std::string& label : distinct_texts(rows, "words"))
    found.push_back(number(rows_where(rows, "words", label)));
  return found;
}

Interval smallest_of(const std::vector<Interval>& all) {
  Interval smallest = mean_of({});
  for (const Interval& one : all) {
    if (!std::isfinite(one.low)) return mean_of({});
    if (!(one.low >= smallest.low)) smallest = one;
  }
  return smallest;
}

Interval largest_of(const std::vector<Interval>& all) {
  Interval largest = mean_of({});
  for (const Interval& one : all) {
    if (!std::isfinite(one.high)) return mean_of({});
    if (!(one.high <= largest.high)) largest = one;
  }
  return largest;
}

// The mean S of the most sensitive kind over that of the least sensitive; nothing if either is missing.
Interval largest_over_smallest(const Rows& rows) {
  std::vector<double> most, least;
  for (const std::string& label : distinct_texts(rows, "words")) {
    const std::vector<double> found = numbers_of(rows_where(rows, "words", label), "sensitivity");
    if (found.empty()) return mean_of({});
    if (most.empty() || mean_of(found).value > mean_of(most).value) most = found;
    if (least.empty() || mean_of(found).value < mean_of(least).value) least = found;
  }
  return ratio_of(most, least);
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows raf = rows_where(rows, "map", "raf"), rf = rows_where(rows, "map", "rf");
  const Rows longest = at_largest(raf, "n"), longest_rf = at_largest(rf, "n");
  const auto mean = [](const Rows& own) { return mean_of(numbers_of(own, "sensitivity")); };
  const auto exponent = [](const Rows& own) { return exponent_of(own); };
  const Interval steepest = smallest_of(of_each_kind(rf, exponent)), flattest = largest_of(of_each_kind(rf, exponent));
  return {judge_between({"The word sensitivity of random features falls with n whatever the words have in common.",
                         "beyond the paper; Theorem 1 asks for norms alone"},
                        "exponents of all kinds of words, from the steepest to the flattest",
                        {0.5 * (steepest.value + flattest.value), steepest.low, flattest.high}, kLowExponent,
                        kHighExponent, at_size(rf, "d")),
          judge_below({"The word sensitivity of random features does not depend on what the words have in common.",
                       "beyond the paper; Theorem 1"},
                      "largest S of a kind over the smallest", largest_over_smallest(longest_rf), kMostSpread,
                      at_size(longest_rf, "n")),
          judge_above({"Whatever the words have in common, one of them can move the output of softmax attention by "
                       "about its own size, or more.",
                       "beyond the paper; Theorem 3 asks for norms alone"},
                      "S of the least sensitive kind", smallest_of(of_each_kind(longest, mean)), kLeastSensitivity,
                      at_size(longest, "n")),
          judge_above({"The word sensitivity of softmax attention is much higher with orthogonal words than with words "
                       "that are all one.",
                       "beyond the paper"},
                      "S with orthogonal words over S with words that are all one",
                      ratio_of(numbers_of(rows_where(longest, "words", kOrthogonal), "sensitivity"),
                               numbers_of(rows_where(longest, "words", kAllOne), "sensitivity")),
                      kLeastFall, at_size(longest, "n"))};
}

}  // namespace

void register_correlated_words(FigureRegistry& registry) {
  registry.add(
      "correlated-words",
      {66, "Words that are alike",
       "Theorems 1 and 3 ask nothing of the words but that their vectors have norm √d. Real embeddings are far from "
       "independent.",
       "Words from orthogonal ones over independent ones, ones with a shared direction (spiked:A), ones like their "
       "neighbours (correlated:R) and texts that repeat K words (repeated:K) to the embeddings of the reviews. The "
       "axis "
       "is the largest share of ‖X‖² in one direction. Random features see norms alone, as the theorem says. Softmax "
       "attention keeps a word in sight with any kind of words, but three times as well where they have nothing in "
       "common: its output is an average of words, which is short where they point all ways, and the worst move "
       "takes all of it along.",
       "made-up words of several kinds, and the words of the texts, as vectors of the model's embedding", study, panels,
       verdicts});
}

}  // namespace wordsway
