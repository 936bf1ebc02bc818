// Beyond the paper: encoders trained alike except for the normaliser of their attention.
#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/normalisers_study.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway {
namespace {

constexpr double kLeastAccuracy = 0.25;               // of masked words, for the normaliser that learnt least
constexpr double kMostTypicalExponent = -0.3;         // random features fall as n^-0.5
constexpr double kLowAlike = 0.67, kHighAlike = 1.5;  // ratios that count as about the same
constexpr double kMostOfSoftmax = 0.7;                // S of the square over that of the softmax
constexpr double kLeastLoss = 0.05;                   // by which the square predicts fewer masked words

constexpr Index kToken = 5;
// The first tens of thousands of reviews and questions were used for training.
constexpr std::uint64_t kFirstText = 1 << 30;

// Reviews outside the training data, with at least this many tokens.
EncodedTexts unseen_reviews(const Model& model, Index count, Index tokens, std::uint64_t seed) {
  std::vector<std::vector<int>> ids;
  const std::uint64_t first = kFirstText + (seed - 1) * static_cast<std::uint64_t>(count);
  for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(count); ++k)
    ids.push_back(
        model.tokenizer->encode(builtin_review(first + k, tokens).text, {.max_tokens = model.most_tokens()}).ids);
  return {fmt::format("builtin, from {}", first), model.tokenizer, std::move(ids)};
}

struct Measured {
  std::vector<Index> n;
  Index trials, words;
};

// S, and the effect of replacing a token by other words.
std::shared_ptr<const Study> changes_of(const FigureSetting& setting, const Model& model, const Measured& sizes) {
  FigureSetting own = setting;
  own.transformer = model.transformer;
  own.texts = std::make_shared<const EncodedTexts>(
      unseen_reviews(model, sizes.trials, *std::max_element(sizes.n.begin(), sizes.n.end()), setting.seed));
  ModelStudyConfig config = model_study_config(own, model.transformer->config().layers);
  config.layer = "last";
  config.n = sizes.n;
  config.trials = sizes.trials;
  config.token = kToken;
  config.typical = sizes.words;
  return std::make_shared<ModelStudy>(config);
}

// By normaliser, then by model, so that the two seeds of a normaliser are next to each other.
std::shared_ptr<const Study> all_changes(const FigureSetting& setting, const std::vector<Model>& models,
                                         const Measured& sizes) {
  std::vector<StudyPart> normalisers;
  for (size_t first = 0; first < models.size();) {
    const std::string label = normaliser_label(models[first].transformer->config().normaliser);
    std::vector<StudyPart> seeds;
    for (; first < models.size() && normaliser_label(models[first].transformer->config().normaliser) == label; ++first)
      seeds.push_back({models[first].transformer->name(), changes_of(setting, models[first], sizes)});
    normalisers.push_back({label, std::make_shared<JoinedStudy>("model", std::move(seeds))});
  }
  return std::make_shared<JoinedStudy>("normaliser", std::move(normalisers));
}

FigureStudy study(const FigureSetting& setting) {
  const std::vector<Model> models = setting.normalisers();
  const Measured sizes{setting.by_profile<std::vector<Index>>({40, 90, 200}, {40, 70, 120, 200}, {40, 70, 120, 200}),
                       setting.by_profile<Index>(3, 4, 10), setting.by_profile<Index>(16, 64, 500)};
  NormalisersConfig learnt;
  learnt.models = models;
  learnt.n = sizes.n;
  learnt.texts = setting.by_profile<Index>(20, 60, 500);
  learnt.training_pairs = setting.by_profile<Index>(25, 80, 400);
  learnt.test_pairs = setting.by_profile<Index>(25, 80, 400);
  learnt.seed = setting.seed;
  learnt.first = kFirstText;
  std::vector<StudyPart> parts{{"learnt", std::make_shared<NormalisersStudy>(learnt)}};
  parts.push_back({"changed", all_changes(setting, models, sizes)});
  return {std::make_shared<JoinedStudy>("measured", std::move(parts)), {}};
}

Rows changed(const Rows& rows) {
  return rows_where(rows, "measured", "changed");
}
Rows of_part(const Rows& rows, const char* part) {
  return rows_where(rows_where(rows, "measured", "learnt"), "part", part);
}

// hits/trials over all rows, those of both seeds. Seeds are asked about the same words.
Interval share_of(const Rows& rows, const char* hits, const char* trials, double each = 1) {
  double sum = 0, all = 0;
  for (const Record& row : rows) {
    if (!holds_number(row, hits) || !holds_number(row, trials)) continue;
    sum += row.number(hits) / each;
    all += row.number(trials);
  }
  if (!(sum >= 0 && sum <= all)) return mean_of({});
  Interval share = rate_of(static_cast<Index>(sum), static_cast<Index>(all));
  if (all > 0) share.value = sum / all;
  return share;
}
Interval masked_accuracy(const Rows& rows) {
  return share_of(of_part(rows, "masked"), "right", "masked");
}
Interval task_accuracy(const Rows& rows) {
  return share_of(of_part(rows, "task"), "right", "pairs", 2);
}

template <typename Share>
LineChart shares_against_n(const Rows& rows, const std::string& title, const std::string& y_label, const Share& share) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "tokens of a text, n";
  chart.y_label = y_label;
  chart.log_y = false;
  for (const std::string& normaliser : distinct_texts(rows, "normaliser")) {
    const Rows own = rows_where(rows, "normaliser", normaliser);
    Series series{normaliser, {}, {}};
    for (const double n : distinct_numbers(own, "n")) {
      const Interval found = share(rows_where(own, "n", n));
      series.x.push_back(n);
      series.y.push_back(found.value);
      series.low.push_back(found.low);
      series.high.push_back(found.high);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

LineChart changes_against_n(const Rows& rows, const std::string& title, const std::string& y_label, const char* field) {
  LineChart chart = sensitivity_chart(title, curves(changed(rows), "n", field, {"normaliser"}));
  chart.y_label = y_label;
  return chart;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  const std::string bands = "Means over texts and both seeds of training, bands of one standard deviation.";
  return {line_panel(changes_against_n(rows, "Trained alike: the worst move of a word", "sensitivity S", "sensitivity"),
                     bands + " The dashed line is the decay of random features."),
          line_panel(changes_against_n(rows, "Another word in its place, on average",
                                       "relative change of the last layer", "typical"),
                     bands),
          line_panel(changes_against_n(rows, "The worst of these words", "relative change of the last layer",
                                       "worst_word_change"),
                     bands),
          line_panel(shares_against_n(rows, "Masked words of unseen texts", "share predicted right", masked_accuracy),
                     "Measured here, not taken from the log of the training. Bands: Wilson's 95% intervals."),
          line_panel(shares_against_n(rows, "One word decides the label: a linear readout of the mean",
                                      "accuracy on unseen pairs", task_accuracy),
                     "0.5 is chance. Bands: Wilson's 95% intervals with pairs as trials.")};
}

std::vector<ReportTable> tables(const Rows& rows) {
  const Rows longest = at_largest(rows, "n");
  if (longest.empty()) return {};
  ReportTable table{
      fmt::format("Both seeds at n = {:g}", longest.front().number("n")),
      {"normaliser", "masked words right", "S", "typical word", "worst word", "one-word task", "S falls as n^"},
      {}};
  const auto number = [](double value) { return std::isfinite(value) ? fmt::format("{:.2f}", value) : std::string(); };
  for (const std::string& normaliser : distinct_texts(rows, "normaliser")) {
    const Rows all = rows_where(rows, "normaliser", normaliser), own = rows_where(longest, "normaliser", normaliser);
    const auto mean = [&](const char* field) { return number(mean_of(numbers_of(changed(own), field)).value); };
    table.rows.push_back({normaliser, number(masked_accuracy(own).value), mean("sensitivity"), mean("typical"),
                          mean("worst_word_change"), number(task_accuracy(own).value),
                          number(exponent_of(changed(all)).value)});
  }
  return {table};
}

// The smallest (or largest) over all normalisers, by the low (high) end of the interval.
template <typename Number>
std::pair<std::string, Interval> extreme(const Rows& rows, bool least, const Number& number) {
  std::pair<std::string, Interval> found{"none", mean_of({})};
  for (const std::string& normaliser : distinct_texts(rows, "normaliser")) {
    const Interval own = number(rows_where(rows, "normaliser", normaliser));
    if (!std::isfinite(own.value)) return {normaliser, mean_of({})};
    if (!std::isfinite(found.second.value) || (least ? own.low < found.second.low : own.high > found.second.high))
      found = {normaliser, own};
  }
  return found;
}

// The mean ratio of two normalisers, text by text: the same text, length and seed of training.
Interval ratio(const Rows& rows, const char* above, const char* below, const char* field) {
  const auto key = [](const Record& row) {
    const std::string& model = row.text("model");
    return fmt::format("{} {:g} {:g}", model.substr(model.rfind("seed")), row.number("n"), row.number("trial"));
  };
  const auto usable = [&](const Record& row) {
    return !row.missing("model") && row.text("model").find("seed") != std::string::npos && holds_number(row, "n") &&
           holds_number(row, "trial") && holds_number(row, field) && row.number(field) > 0;
  };
  std::map<std::string, double> bottom;
  for (const Record& row : rows_where(changed(rows), "normaliser", below))
    if (usable(row)) bottom[key(row)] = row.number(field);
  std::vector<double> ratios;
  for (const Record& row : rows_where(changed(rows), "normaliser", above))
    if (usable(row) && bottom.contains(key(row))) ratios.push_back(row.number(field) / bottom.at(key(row)));
  return mean_of(ratios);
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const auto [worst, accuracy] = extreme(rows, true, masked_accuracy);
  const auto [slowest, typical] =
      extreme(changed(rows), false, [](const Rows& own) { return exponent_of(own, "n", "typical"); });
  const auto masked = [&](const char* normaliser) {
    return masked_accuracy(rows_where(rows, "normaliser", normaliser));
  };
  const std::string where = "over all n, text by text", beyond = "beyond the paper";
  return {
      judge_above(
          {"Encoders trained with any of the six normalisers learn to predict masked words of film reviews.", beyond},
          fmt::format("share of masked words predicted right, the least ({})", worst), accuracy, kLeastAccuracy,
          "over all n"),
      judge_between(
          {"The word sensitivity of trained encoders with the sigmoid is about that of those with the softmax.",
           beyond},
          "S, sigmoid over softmax", ratio(rows, "sigmoid", "softmax", "sensitivity"), kLowAlike, kHighAlike, where),
      judge_between(
          {"The word sensitivity of trained encoders whose softmax has β = 4 is about that of those with β = 1/4.",
           beyond},
          "S, softmax at β = 4 over β = 1/4", ratio(rows, "softmax, β = 4", "softmax, β = 0.25", "sensitivity"),
          kLowAlike, kHighAlike, where),
      judge_below(
          {"The word sensitivity of trained encoders with the square is well below that of those with the softmax.",
           beyond},
          "S, square over softmax", ratio(rows, "square", "softmax", "sensitivity"), kMostOfSoftmax, where),
      judge_above(
          {"Trained encoders with the square predict fewer masked words of film reviews than those with the softmax.",
           beyond},
          "share of masked words predicted right, softmax less square",
          difference_of_rates(masked("softmax"), masked("square")), kLeastLoss, "over all n"),
      judge_between(
          {"A typical word changes trained encoders with the square about as much as those with the softmax.", beyond},
          "typical change, square over softmax", ratio(rows, "square", "softmax", "typical"), kLowAlike, kHighAlike,
          where),
      judge_below({"What a typical word changes in trained encoders falls with n, whatever the normaliser.", beyond},
                  fmt::format("exponent of the typical change, the largest ({})", slowest), typical,
                  kMostTypicalExponent, "")};
}

}  // namespace

void register_trained_normalisers(FigureRegistry& registry) {
  registry.add(
      "trained-normalisers",
      {69,
       "Trained alike but for the normaliser",
       "Theorem 3 and Figure 3 compare the softmax with the ReLU at random weights; the figure normalisers adds "
       "others. "
       "Here the weights are trained.",
       "Twelve encoders of two layers, d = 64 and 213,000 parameters, made by us: six normalisers, two seeds each, the "
       "same first weights, texts, masks and steps. Texts here come from the same grammar with numbers that no "
       "training "
       "has seen, cut to n tokens; token 5 moves by its own length, or gives way to 64 other words (quick: 16), the "
       "worst of which is the third picture. A softmax at β = 1/4 or 4 and the sigmoid come out near the softmax in "
       "what "
       "they learn and in S (β = 4 a fifth above β = 1/4), the ReLU a little lower; the square has about half of S and "
       "learns less. S falls in all of them; n is larger than d here (figure spike-map). Typical words, and the worst "
       "of "
       "64, do about the same in all six and fall as 1/√n; a linear readout of the mean learns the deciding word about "
       "as well from each. That normalisers differ more at random weights is what the figures normalisers and "
       "temperature say of one attention layer; these encoders were not measured before training, so how much training "
       "took away is not known, nor why: queries and keys could undo β, but the square and the ReLU, whose weights no "
       "scale of the scores changes, come out apart. Intervals are over texts; there are two trainings of each.",
       "made-up film reviews, through twelve small encoders of ours",
       study,
       panels,
       verdicts,
       tables,
       {},
       [](const FigureSetting& setting) { return setting.normalisers_missing; }});
}

}  // namespace wordsway
