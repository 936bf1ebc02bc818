// Beyond the paper: does one word change features enough for its meaning to be learnt?
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/study/one_word_study.h"

namespace wordsway {
namespace {

// Shares of test pairs with both reviews labelled right.
constexpr double kLeastDecoder = 0.9;   // by the decoder's own answer
constexpr double kCoin = 0.25;          // by tossing coins; a readout below it gives both reviews the same label
constexpr double kLeastLead = 0.4;      // of the decoder over the best random map
constexpr double kMostOverMean = 0.15;  // by which random attention may beat the mean of the word vectors

constexpr std::int64_t kDeepWidth = 2048, kDepth = 3;  // of drf; more features than samples
constexpr double kSharp = 4;                           // a larger β
// The decoder was trained on the first 175,000 questions. These are far from them, and from those tried while this
// figure was made.
constexpr std::uint64_t kFirstQuestion = 1 << 30;

std::vector<NamedMap> random_maps() {
  std::vector<NamedMap> maps = {{"rf", "rf", {}},
                                {"drf", "drf", {}},
                                {"raf-relu", "raf-relu", {}},
                                {"raf", "raf", {}},
                                {"raf, β = 4", "raf", {}}};
  maps[1].options.set("depth", kDepth).set("width", kDeepWidth);
  maps[4].options.set("beta", kSharp);
  return maps;
}

FigureStudy study(const FigureSetting& setting) {
  OneWordConfig config;
  config.encoder.transformer = setting.transformer;
  config.encoder.tokenizer = setting.tokenizer;
  config.decoder = setting.decoder();
  config.maps = random_maps();
  config.seed = setting.seed;
  config.first = kFirstQuestion;
  config.n = setting.by_profile<std::vector<Index>>({20, 100}, {20, 50, 100, 200}, {20, 50, 100, 200});
  config.training_pairs = setting.by_profile<Index>(60, 120, 200);
  config.test_pairs = setting.by_profile<Index>(60, 120, 200);
  config.trials = setting.by_profile<Index>(1, 1, 2);
  return {std::make_shared<OneWordStudy>(config), {}};
}

// The rows of one readout; "last" means the last layer of a model.
struct Readout {
  const char *label, *part, *readout;
  enum Layer { kAny, kFirst, kLast } layer;
};
constexpr Readout kRandom[] = {{"rf", "rf", "interpolator", Readout::kAny},
                               {"drf", "drf", "interpolator", Readout::kAny},
                               {"raf-relu", "raf-relu", "interpolator", Readout::kAny},
                               {"raf", "raf", "interpolator", Readout::kAny},
                               {"raf, β = 4", "raf, β = 4", "interpolator", Readout::kAny}};
constexpr Readout kMean = {"mean of word vectors", "encoder", "mean", Readout::kFirst};
constexpr Readout kEncoder = {"encoder, mean of last layer", "encoder", "mean", Readout::kLast};
constexpr Readout kProbe = {"decoder, last token", "decoder", "last", Readout::kLast};
constexpr Readout kAnswer = {"decoder, its answer", "decoder", "answer", Readout::kAny};

Rows rows_of(const Rows& rows, const Readout& readout) {
  const Rows found = rows_where(rows_where(rows, "part", readout.part), "readout", readout.readout);
  return readout.layer == Readout::kFirst  ? at_smallest(found, "layer")
         : readout.layer == Readout::kLast ? at_largest(found, "layer")
                                           : found;
}

double sum_of(const Rows& rows, const char* field) {
  double sum = 0;
  for (const double value : numbers_of(rows, field)) sum += value;
  return sum;
}

// A share of all test pairs of these rows, over trials. The two reviews of a pair are not independent, so pairs count
// as the trials even for shares of reviews; the interval is then at least as wide as it should be.
Interval share_of(const Rows& rows, const char* field) {
  Rows complete;
  for (const Record& row : rows)
    if (holds_number(row, "pairs") && holds_number(row, field)) complete.push_back(row);
  const Index pairs = static_cast<Index>(sum_of(complete, "pairs"));
  const double hits = sum_of(complete, field) / (std::string(field) == "right" ? 2 : 1);
  if (!(hits >= 0 && hits <= static_cast<double>(pairs))) return mean_of({});
  Interval share = rate_of(static_cast<Index>(hits), pairs);
  if (pairs > 0) share.value = hits / static_cast<double>(pairs);
  return share;
}
Interval told_apart(const Rows& rows, const Readout& readout) {
  return share_of(rows_of(rows, readout), "both_right");
}

Interval ordered(const Rows& rows, const Readout& readout) {
  return share_of(rows_of(rows, readout), "ordered");
}

void add_point(Series& series, double x, const Interval& share) {
  series.x.push_back(x);
  series.y.push_back(share.value);
  series.low.push_back(share.low);
  series.high.push_back(share.high);
}

LineChart against_n(const Rows& rows, const std::string& title, const std::string& y_label, const char* field,
                    const std::vector<Readout>& readouts) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "tokens of a review, n";
  chart.y_label = y_label;
  chart.log_y = false;
  for (const Readout& readout : readouts) {
    const Rows own = rows_of(rows, readout);
    Series series{readout.label, {}, {}};
    for (const double n : distinct_numbers(own, "n")) add_point(series, n, share_of(rows_where(own, "n", n), field));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

LineChart against_layer(const Rows& rows) {
  const Rows longest = at_largest(rows, "n");
  LineChart chart;
  chart.title = "Where a trained model has the answer";
  if (!longest.empty()) chart.title += fmt::format(", n = {:g}", longest.front().number("n"));
  chart.x_label = "layer (0: the embedding)";
  chart.y_label = "accuracy on unseen pairs";
  chart.log_x = chart.log_y = false;
  for (const auto& [label, part, readout] : {std::array{"encoder, mean of all tokens", "encoder", "mean"},
                                             std::array{"encoder, all tokens", "encoder", "flattened"},
                                             std::array{"decoder, last token", "decoder", "last"}}) {
    const Rows own = rows_where(rows_where(longest, "part", part), "readout", readout);
    Series series{label, {}, {}};
    for (const double layer : distinct_numbers(own, "layer"))
      add_point(series, layer, share_of(rows_where(own, "layer", layer), "right"));
    chart.series.push_back(std::move(series));
  }
  return chart;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  std::vector<Readout> all(std::begin(kRandom), std::end(kRandom)), outputs;
  all.insert(all.end(), {kMean, kEncoder});
  outputs = all;
  all.push_back(kAnswer);
  outputs.push_back(kProbe);  // an answer has no other order than that of its words
  return {line_panel(against_n(rows, "One word decides the label: what can be learnt", "accuracy on unseen pairs",
                               "right", all),
                     "0.5 is chance. Bands: Wilson's 95% intervals with pairs as trials."),
          line_panel(against_n(rows, "Which of the two reviews is the one that says yes?",
                               "share of pairs in the right order", "ordered", outputs),
                     "0.5 is chance. Here what the rest of the text adds to both outputs does not count."),
          line_panel(against_layer(rows))};
}

std::vector<ReportTable> tables(const Rows& rows) {
  const Rows longest = at_largest(rows, "n");
  if (longest.empty()) return {};
  ReportTable table{fmt::format("Test pairs at n = {:g}", longest.front().number("n")),
                    {"readout", "accuracy", "both right", "right order"},
                    {}};
  const auto number = [](const Interval& share) {
    return std::isfinite(share.value) ? fmt::format("{:.2f}", share.value) : std::string();
  };
  std::vector<Readout> all(std::begin(kRandom), std::end(kRandom));
  for (Readout map : kRandom) {
    map.readout = "ridge";
    all.push_back(map);
  }
  all.insert(all.end(), {kMean, kEncoder, kProbe, kAnswer});
  for (const Readout& readout : all) {
    const Rows own = rows_of(longest, readout);
    const std::string how = std::string(readout.readout) == "ridge" ? ", ridge" : "";
    table.rows.push_back({readout.label + how, number(share_of(own, "right")), number(share_of(own, "both_right")),
                          number(share_of(own, "ordered"))});
  }
  return {table};
}

// The random map that tells most pairs apart.
Interval best_random(const Rows& rows) {
  Interval best = mean_of({});
  for (const Readout& map : kRandom) {
    const Interval share = told_apart(rows, map);
    if (!(share.value <= best.value)) best = share;
  }
  return best;
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows longest = at_largest(rows, "n");
  const std::string where = at_size(longest, "n"), what = "share of pairs with both reviews right",
                    order = "share of pairs in the right order";
  const auto& [rf, drf, relu, raf, sharp] = kRandom;
  Readout raf_ridge = raf;
  raf_ridge.readout = "ridge";
  return {
      judge_above({"The trained decoder answers rightly to both reviews of a pair that differ in the one word that "
                   "decides, at every length.",
                   "beyond the paper; its claim on transformers"},
                  what, told_apart(rows, kAnswer), kLeastDecoder, ""),
      judge_below({"Random features lose the deciding word in long reviews: a readout gets both reviews of a pair "
                   "right less often than coins would.",
                   "beyond the paper; the claim of Theorems 4 and 5"},
                  what, told_apart(longest, rf), kCoin, where),
      judge_below({"Deep random features lose the deciding word in long reviews: a readout gets both reviews of a pair "
                   "right less often than coins would.",
                   "beyond the paper; the claim of Theorems 4 and 5"},
                  what, told_apart(longest, drf), kCoin, where),
      judge_above({"A readout learns more about the deciding word of a review on random softmax attention than on "
                   "random features.",
                   "beyond the paper"},
                  order + ", raf less rf", difference_of_rates(ordered(longest, raf), ordered(longest, rf)), 0, where),
      judge_above({"That one word can draw the attention is not what helps: a readout learns less about the deciding "
                   "word on random attention with a larger β, where it can as well.",
                   "beyond the paper"},
                  order + ", raf less raf with β = 4",
                  difference_of_rates(ordered(longest, raf), ordered(longest, sharp)), 0, where),
      judge_below({"A readout learns no more about the deciding word of a review on random softmax attention than on "
                   "the plain mean of the word vectors.",
                   "beyond the paper"},
                  what + ", ridge on raf less ridge on the mean",
                  difference_of_rates(told_apart(rows, raf_ridge), told_apart(rows, kMean)), kMostOverMean,
                  "over all n"),
      judge_above(
          {"No readout of a random map comes near the trained decoder in telling the two reviews of a pair apart.",
           "beyond the paper"},
          what + ", its answer less the best of them",
          difference_of_rates(told_apart(longest, kAnswer), best_random(longest)), kLeastLead, where)};
}

}  // namespace

void register_one_word_task(FigureRegistry& registry) {
  registry.add(
      "one-word-task",
      {68,
       "One word decides: what can be learnt from examples",
       "The paper's claim is that transformers can catch the word that turns a meaning, and random features cannot. It "
       "proves it of the worst move of one sample (Theorems 4 and 5). Here the words are real ones, and a readout "
       "learns "
       "from labelled pairs.",
       "Pairs of film reviews of n tokens that differ in one, which turns “would this viewer watch it again?” or “is "
       "it "
       "recommended?” from yes to no. A linear readout is trained on 120 pairs and asked about 120 others of the same "
       "grammar (quick: 60 and 60). On random maps of the encoder's word vectors it is the min-norm interpolator; on "
       "the "
       "mean of the encoder's layers, and on the decoder's last token after the question, ridge regression. Random "
       "features fall to chance as texts grow. Random attention falls as well, but slowly, and puts almost all pairs "
       "into "
       "the right order: the word is in its features, and the rest of the text drowns it. What helps is that its "
       "softmax "
       "averages, so that a word counts alike wherever it stands: the plain mean of the word vectors does no worse, "
       "and "
       "a sharper softmax, on which one word can do as much at worst, does worse. So the paper's worst case does not "
       "become accuracy by itself. The decoder answers rightly at every length, but it was trained on such questions, "
       "540,000 other pairs of eleven kinds; the encoder, trained for something else, loses the word too. A "
       "transformer can, "
       "once "
       "it has learnt to; random features cannot from as many examples as are given here, and what they would learn "
       "from "
       "as many as the decoder had was not measured.",
       "pairs of made-up film reviews that differ in one word",
       study,
       panels,
       verdicts,
       tables,
       {{2, 0,
         "One word decides the label: random maps lose it as texts grow, a transformer that was trained on such "
         "questions does not."}}});
}

}  // namespace wordsway
