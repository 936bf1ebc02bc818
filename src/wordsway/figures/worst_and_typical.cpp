// Beyond the paper: how does the worst move in the ball compare with the effect of real words?
#include <algorithm>

#include <fmt/format.h>

#include "wordsway/figures/judge.h"
#include "wordsway/figures/panels.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/run/joined_study.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway {
namespace {

constexpr double kLeastGap = 5;            // of the worst move over the worst word, for raf in the longest texts
constexpr double kMostExponent = -0.3;     // of what falls with n; 1/√n is −0.5
constexpr double kMostOfFeatures = 3;      // of the worst move over a typical word, for rf
constexpr double kMostOverFeatures = 1.5;  // of a typical word: raf over rf

// The effect of one word on random features does not depend on d, so it is small enough to store the weights. Deep ones
// have a width of their own, because every word goes through all their layers.
constexpr Index kNarrow = 16, kDeepWidth = 256;
constexpr Index kToken = 5;                   // a word of the text, in every length
constexpr Index kWords = 260, kReviews = 20;  // of the decoder's texts

// The quantities measured for every map and model, and their names in charts.
struct Quantity {
  const char *field, *name;
};
constexpr Quantity kWorstMove = {"sensitivity", "worst move in the ball"},
                   kWorstWord = {"worst_word_change", "worst word"}, kTypical = {"typical", "typical word"},
                   kLeftOut = {"left_out", "word left out"};
constexpr Quantity kQuantities[] = {kWorstMove, kWorstWord, kTypical, kLeftOut};

std::shared_ptr<const Study> of_maps(const FigureSetting& setting, std::vector<std::string> maps, Index d,
                                     const ParameterLists& parameters = {}) {
  MeasureConfig config = measure_config(setting);
  config.parameters = parameters;
  config.maps = std::move(maps);
  config.n = setting.by_profile<std::vector<Index>>({10, 30, 100}, {10, 30, 100, 250}, {10, 25, 50, 100, 250});
  config.d = {d};
  config.random = "dense";
  config.trials = setting.by_profile<Index>(4, 4, 10);
  config.token = kToken;
  config.typical = 64;
  config.data = setting.data;
  return std::make_shared<MeasureStudy>(config);
}

Index texts_a_length(const FigureSetting& setting) {
  return setting.by_profile<Index>(2, 2, 10);
}

std::shared_ptr<const Study> of_model(const FigureSetting& setting, ModelStudyConfig config, std::vector<Index> n) {
  config.layer = "last";
  config.n = std::move(n);
  config.trials = texts_a_length(setting);
  config.token = kToken;
  config.typical = setting.by_profile<Index>(16, 16, 64);
  config.worst_among = setting.by_profile<Index>(32, 48, 256);
  return std::make_shared<ModelStudy>(std::move(config));
}

// The reviews of the built-in texts, with the words that precede a review in all of the decoder's training data.
EncodedTexts reviews_for(const Model& decoder) {
  std::vector<std::vector<int>> ids;
  for (Index k = 0; k < kReviews; ++k)
    ids.push_back(
        decoder.tokenizer->encode("Review: " + builtin_review(static_cast<std::uint64_t>(k), kWords).text).ids);
  return {"builtin", decoder.tokenizer, std::move(ids)};
}

FigureStudy study(const FigureSetting& setting) {
  const Sizes sizes = model_dimensions(setting);
  const auto lengths = setting.by_profile<std::vector<Index>>({10, 20, 40}, {10, 20, 40, 80}, {16, 32, 64, 128, 250});
  const Sizes possible = possible_lengths(setting, lengths, texts_a_length(setting));
  const Model decoder = setting.decoder();
  const ModelStudyConfig encoder = model_study_config(setting, setting.transformer->config().layers);
  const ModelStudyConfig of_decoder =
      model_study_config(decoder.transformer, reviews_for(decoder), decoder.transformer->config().layers, setting.seed);
  const std::vector<std::string> all = {"raf", "raf-square", "raf-relu", "raf-sigmoid", "raf-softplus", "raf-elu"};
  const auto normalisers = setting.by_profile<std::vector<std::string>>({"raf", "raf-relu", "raf-sigmoid"}, all, all);
  const Index narrow = std::min(kNarrow, sizes.values.back());
  const ParameterLists deep = {{"depth", parameter_list<Index>({2})}, {"width", parameter_list<Index>({kDeepWidth})}};
  std::vector<StudyPart> parts = {{"features", of_maps(setting, {"rf"}, narrow)},
                                  {"deep features", of_maps(setting, {"drf"}, narrow, deep)},
                                  {"attention", of_maps(setting, normalisers, sizes.values.back())},
                                  {"encoder", of_model(setting, encoder, possible.values)},
                                  {"decoder", of_model(setting, of_decoder, lengths)}};
  return {std::make_shared<JoinedStudy>("family", std::move(parts)),
          sizes.note + (sizes.note.empty() || possible.note.empty() ? "" : "; ") + possible.note};
}

// The rows of one map or model, and its name in charts and tables.
struct Part {
  std::string name;
  Rows rows;
};

std::vector<Part> parts_of(const Rows& rows) {
  std::vector<Part> parts;
  for (const char* family : {"attention", "features", "deep features"}) {
    const Rows own = rows_where(rows, "family", family);
    for (const std::string& map : distinct_texts(own, "map")) parts.push_back({map, rows_where(own, "map", map)});
  }
  for (const char* family : {"encoder", "decoder"}) parts.push_back({family, rows_where(rows, "family", family)});
  return parts;
}

Text with_exponent(const std::string& name, const Rows& rows, const Quantity& quantity) {
  const Interval found = exponent_of(rows, "n", quantity.field);
  return std::isfinite(found.value) ? name + bracketed_exponent(found.value) : Text(name);
}

LineChart four_curves(const std::string& title, const Rows& rows) {
  LineChart chart = sensitivity_chart(title, {});
  chart.y_label = "relative change of the features";
  for (const Quantity& quantity : kQuantities)
    chart.series.push_back(curve(with_exponent(quantity.name, rows, quantity), rows, "n", quantity.field));
  return chart;
}

std::vector<FigurePanel> panels(const Rows& rows) {
  const Rows raf = rows_where(rows, "map", "raf"), rf = rows_where(rows, "map", "rf");
  LineChart typical = sensitivity_chart("What a typical word does falls about as 1/√n everywhere", {});
  typical.y_label = "relative change by a typical word";
  for (const Part& part : parts_of(rows))
    typical.series.push_back(curve(with_exponent(part.name, part.rows, kTypical), part.rows, "n", kTypical.field));
  LineChart worst = sensitivity_chart("The worst move: the softmax keeps it in sight, the others lose it", {});
  for (const char* map : {"raf", "raf-relu", "drf", "rf"}) {
    const Rows own = rows_where(rows, "map", map);
    worst.series.push_back(curve(with_exponent(map, own, kWorstMove), own, "n", kWorstMove.field));
  }
  return {
      line_panel(four_curves("Softmax attention: the worst move is one that no word makes", raf),
                 "Means over trials, bands of one standard deviation; exponents are fitted to all trials. All "
                 "other words of the texts are tried."),
      line_panel(four_curves("Random features: words do what the worst move does", rf)),
      line_panel(four_curves("The trained encoder, last layer", rows_where(rows, "family", "encoder")),
                 "Words are tokens of the texts; the worst of them is looked for along gradients, not by trying all."),
      line_panel(four_curves("The trained decoder, last layer", rows_where(rows, "family", "decoder"))),
      line_panel(std::move(typical)),
      line_panel(std::move(worst), "Means over trials, bands of one standard deviation.")};
}

std::vector<ReportTable> tables(const Rows& rows) {
  ReportTable table{"Exponents in n, and in brackets the change in the longest texts", {"map", "n"}, {}};
  for (const Quantity& quantity : kQuantities) table.columns.emplace_back(quantity.name);
  for (const Part& part : parts_of(rows)) {
    const Rows longest = at_largest(part.rows, "n");
    if (longest.empty()) continue;
    std::vector<std::string> line = {part.name, fmt::format("{:g}", longest.front().number("n"))};
    for (const Quantity& quantity : kQuantities) {
      const double exponent = exponent_of(part.rows, "n", quantity.field).value;
      const double change = mean_of(numbers_of(longest, quantity.field)).value;
      line.push_back(std::isfinite(exponent) && std::isfinite(change) ? fmt::format("{:.2f} ({:.3g})", exponent, change)
                                                                      : std::string());
    }
    table.rows.push_back(std::move(line));
  }
  return {table};
}

// The ratio of two quantities in the longest texts.
Interval ratio_in(const Rows& longest, const Quantity& above, const Quantity& below) {
  return ratio_of(numbers_of(longest, above.field), numbers_of(longest, below.field));
}

// The random map on which the effect of a typical word falls least.
struct Slowest {
  std::string map = "nothing";
  Interval exponent = mean_of({});
};
Slowest slowest_fall(const Rows& rows) {
  Slowest slowest;
  for (const Part& part : parts_of(rows)) {
    if (part.rows.empty() || part.name == "encoder" || part.name == "decoder") continue;
    const Interval found = exponent_of(part.rows, "n", kTypical.field);
    if (!std::isfinite(found.high)) return {part.name, mean_of({})};
    if (!(found.high <= slowest.exponent.high)) slowest = {part.name, found};
  }
  return slowest;
}

std::vector<Verdict> verdicts(const Rows& rows) {
  const Rows raf = rows_where(rows, "map", "raf"), rf = rows_where(rows, "map", "rf");
  const Rows longest = at_largest(raf, "n"), longest_rf = at_largest(rf, "n");
  const Slowest slowest = slowest_fall(rows);
  const std::string where = at_size(longest, "n");
  return {
      judge_above({"To softmax attention the worst move of a word's vector does far more than any word of the texts in "
                   "its place.",
                   "beyond the paper; Theorem 3 is about the worst move"},
                  "worst move over worst word", ratio_in(longest, kWorstMove, kWorstWord), kLeastGap, where),
      judge_below({"What the worst word of the texts does to softmax attention falls with n.", "beyond the paper"},
                  "exponent of the worst word", exponent_of(raf, "n", kWorstWord.field), kMostExponent,
                  at_size(raf, "d")),
      judge_below({"What leaving a word out does to softmax attention falls with n.", "beyond the paper"},
                  "exponent of the word left out", exponent_of(raf, "n", kLeftOut.field), kMostExponent,
                  at_size(raf, "d")),
      judge_below({"What a typical word does falls with n on every random map.", "beyond the paper"},
                  fmt::format("exponent of the typical word on the map that keeps it best ({})", slowest.map),
                  slowest.exponent, kMostExponent, ""),
      judge_below({"To random features a typical word does nearly what the worst move does.", "beyond the paper"},
                  "worst move over typical word", ratio_in(longest_rf, kWorstMove, kTypical), kMostOfFeatures,
                  at_size(longest_rf, "n")),
      judge_below({"A typical word does hardly more to softmax attention than to random features.", "beyond the paper"},
                  "typical word, raf over rf",
                  ratio_of(numbers_of(longest, kTypical.field), numbers_of(longest_rf, kTypical.field)),
                  kMostOverFeatures, where)};
}

}  // namespace

void register_worst_and_typical(FigureRegistry& registry) {
  registry.add(
      "worst-and-typical",
      {66,
       "The worst move and what words do",
       "The paper's word sensitivity is the worst move of a word's vector within a ball (Theorems 1 to 3). It says "
       "nothing about real words.",
       "Token 5 of texts of n tokens: the worst move of its vector in the ball; the worst of the words of the texts in "
       "its place; the mean over words drawn as often as they come; and the word left out, which for attention "
       "and models means that the others are alone, and for random features, whose weights belong to places, that the "
       "place is empty. Softmax attention keeps the worst move in sight in texts of any length, but no word makes that "
       "move: what words do falls about as 1/√n on every random map, and to a typical word softmax attention is no "
       "more sensitive than random features. The trained models are beside them: as wholes, from embedding to last "
       "layer.",
       "the words of the texts, as vectors of the model's embedding, and the texts through the model and the built-in "
       "decoder",
       study,
       panels,
       verdicts,
       tables,
       {{1, 5,
         "One word moves as far as it can: softmax attention feels it in texts of any length, ReLU attention and "
         "random features lose it."},
        {3, 0, "No real word makes that move: what words do to softmax attention falls with the length too."}}});
}

}  // namespace wordsway
