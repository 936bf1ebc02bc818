// Beyond the paper: for which n, d and common direction of the data the word sensitivity of softmax attention falls.
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/statistics.h"
#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

constexpr double kMostKept = 0.7;   // S of the longest text over S of the shortest, at the smallest d
constexpr double kLeastKept = 0.8;  // that ratio at the largest d

std::shared_ptr<const Study> at_spike(const FigureSetting& setting, double spike) {
  MeasureConfig config = measure_config(setting);
  config.maps = {"raf"};
  config.n =
      setting.by_profile<std::vector<Index>>({8, 32, 128}, {8, 16, 32, 64, 128, 256}, {8, 16, 32, 64, 128, 256, 512});
  config.d =
      setting.by_profile<std::vector<Index>>({16, 64, 256}, {16, 32, 64, 128, 256}, {16, 32, 64, 128, 256, 512, 768});
  config.trials = setting.by_profile<Index>(8, 6, 10);
  config.data = synthetic_source(fmt::format("spiked:{:g}", spike), setting.seed);
  return std::make_shared<MeasureStudy>(config);
}

FigureStudy study(const FigureSetting& setting) {
  std::vector<StudyPart> parts;
  for (const double spike : {0.0, 0.3, 0.6}) parts.push_back({fmt::format("{:g}", spike), at_spike(setting, spike)});
  return {std::make_shared<JoinedStudy>("spike", std::move(parts)), {}};
}

double kept_at(const Rows& rows, double n) {
  const double first = moments(numbers_of(at_smallest(rows, "n"), "sensitivity")).mean;
  return moments(numbers_of(rows_where(rows, "n", n), "sensitivity")).mean / first;
}

HeatPanel heat_panel_of(const Rows& rows, const std::string& spike) {
  HeatPanel panel;
  panel.title = "A = " + spike;
  const auto lengths = distinct_numbers(rows, "n"), dimensions = distinct_numbers(rows, "d");
  panel.values.resize(static_cast<Index>(dimensions.size()), static_cast<Index>(lengths.size()));
  for (const double n : lengths) panel.column_labels.push_back(fmt::format("{:g}", n));
  for (size_t r = 0; r < dimensions.size(); ++r) {
    panel.row_labels.push_back(fmt::format("{:g}", dimensions[r]));
    const Rows at_d = rows_where(rows, "d", dimensions[r]);
    for (size_t c = 0; c < lengths.size(); ++c)
      panel.values(static_cast<Index>(r), static_cast<Index>(c)) = kept_at(at_d, lengths[c]);
  }
  return panel;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  HeatMap map;
  map.title = "S at n over S at the smallest n";
  map.row_label = "dimension d";
  map.column_label = "context length n";
  for (const std::string& spike : distinct_texts(rows, "spike"))
    map.panels.push_back(heat_panel_of(rows_where(rows, "spike", spike), spike));
  return {heat_panel(std::move(map), 400, 360)};
}

// Relative to the shortest texts of each A: S differs between values of A, and that is not noise.
Interval kept(const Rows& rows) {
  std::vector<double> longest, shortest;
  for (const std::string& spike : distinct_texts(rows, "spike")) {
    const Rows of = rows_where(rows, "spike", spike);
    const auto before = numbers_of(at_smallest(of, "n"), "sensitivity");
    const double mean = moments(before).mean;
    for (const double value : before) shortest.push_back(value / mean);
    for (const double value : numbers_of(at_largest(of, "n"), "sensitivity")) longest.push_back(value / mean);
  }
  return ratio_of(longest, shortest);
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows narrow = at_smallest(rows, "d"), wide = at_largest(rows, "d");
  const std::string what = "S kept from the shortest text to the longest, over all A";
  return {judge_below({"The word sensitivity of softmax attention falls with n once n is far above d, whatever the "
                       "words have in common.",
                       "beyond the paper; Theorem 3 asks for n of the order of d at most"},
                      what, kept(narrow), kMostKept, at_size(narrow, "d")),
          judge_above({"The word sensitivity of softmax attention stays of constant order while n is at most d, "
                       "whatever the words have in common.",
                       "Theorem 3"},
                      what, kept(wide), kLeastKept, at_size(wide, "d"))};
}

}  // namespace

void register_spike_map(FigureRegistry& registry) {
  registry.add("spike-map",
               {66, "Where softmax attention loses the word",
                "Theorem 3 speaks of n at most of the order of d. What happens beyond is measured here; no formula is "
                "claimed.",
                "Tokens are √d·normalise(√A·μ + √(1−A)·u) with one direction μ for all; real embeddings have A of "
                "about 0.3. Bright: S as large as in a short text. Dark: the word is lost. In few dimensions a common "
                "direction makes that worse, in many it does no harm.",
                "made-up words that share a direction of weight A (spiked:A)", study, panels, verdicts});
}

}  // namespace wordsway
