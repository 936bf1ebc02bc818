// Verdicts on word sensitivity: each holds on rows that say so, and fails on rows that are broken.
#include <gmock/gmock.h>

#include "figures/made_up_rows.h"

namespace wordsway::test {
namespace {

using testing::Each;
using testing::ElementsAre;

double falling(double n, double /*d*/) {
  return 1.2 / std::sqrt(n);
}
double constant(double /*n*/, double /*d*/) {
  return 2.5;
}

const std::vector<double> kLengths = {30, 60, 120};

TEST(FigureVerdicts, FailOnNothing) {
  for (const std::string& name : figure_names()) EXPECT_THAT(judged(name, {}), Each(false)) << name;
}

TEST(FigureVerdicts, AreThereForEveryFigure) {
  for (const std::string& name : figure_names()) {
    const FigureEntry& figure = figure_registry().get(name);
    EXPECT_FALSE(figure.verdicts({}).empty()) << name;
    for (const std::string& text : {figure.title, figure.statement, figure.caption, figure.data})
      EXPECT_FALSE(text.empty()) << name;
  }
}

// The table has them one by one, and the terminal too.
TEST(FigureVerdicts, CanBeReadAlone) {
  const testing::Matcher<std::string> leans_on_another =
      testing::MatchesRegex("(And|Also|But|Yet|So|Not|It|They|This|These|Those) .*|.* (either|too)\\.");
  const testing::Matcher<std::string> names_its_map =
      testing::ContainsRegex("[Rr]andom features|attention|random map|[Ee]ncoder|[Dd]ecoder|the model|trained model");
  for (const std::string& name : figure_names())
    for (const Verdict& verdict : figure_registry().get(name).verdicts({}))
      EXPECT_THAT(verdict.statement, testing::AllOf(testing::Not(leans_on_another), names_its_map)) << name;
}

TEST(RandomFeaturesVerdicts, TellTheDecayFromAConstant) {
  EXPECT_THAT(judged("random-features", measured("rf", kLengths, {24, 96}, falling)), ElementsAre(true, true));
  EXPECT_THAT(judged("random-features", measured("rf", kLengths, {24, 96}, constant)), ElementsAre(false, true));
}

TEST(RandomFeaturesVerdicts, NoticeADependenceOnD) {
  const auto by_d = [](double n, double d) { return falling(n, d) * std::sqrt(d / 24); };
  EXPECT_THAT(judged("random-features", measured("rf", kLengths, {24, 96}, by_d)), ElementsAre(true, false));
}

TEST(RandomFeaturesVerdicts, NoticeShuffledLengths) {
  Rows rows = measured("rf", kLengths, {24, 96}, falling);
  for (size_t k = 0; k < rows.size(); ++k) rows[k].set("n", static_cast<std::int64_t>(kLengths[k % 3]));
  EXPECT_FALSE(judged("random-features", rows).front());
}

TEST(RandomFeaturesVerdicts, NoticeAFallThatIsTooSteep) {
  const auto steep = [](double n, double) { return 10 / n; };
  EXPECT_FALSE(judged("random-features", measured("rf", kLengths, {24, 96}, steep)).front());
}

Rows deep(double growth, double exponent) {
  Rows rows;
  for (const int depth : {2, 4, 8})
    rows =
        joined(rows, with(measured("drf", kLengths, {96},
                                   [=](double n, double) { return std::pow(growth, depth) * std::pow(n, exponent); }),
                          "depth", std::int64_t{depth}));
  return rows;
}

TEST(DeepRandomFeaturesVerdicts, JudgeEveryDepthAndItsGrowth) {
  EXPECT_THAT(judged("deep-random-features", deep(1.02, -0.55)), ElementsAre(true, true));
  EXPECT_THAT(judged("deep-random-features", deep(1.02, -0.1)), ElementsAre(false, true));
  EXPECT_THAT(judged("deep-random-features", deep(1.5, -0.55)), ElementsAre(true, false));
  // One depth that does not fall spoils the statement about all of them.
  Rows rows = deep(1.02, -0.55);
  for (Record& row : rows)
    if (row.number("depth") == 4) row.set("sensitivity", jitter(static_cast<std::int64_t>(row.number("trial"))));
  EXPECT_FALSE(judged("deep-random-features", rows).front());
}

TEST(RafVerdicts, TellAttentionFromItsReluRelative) {
  const Rows flat = measured("raf", kLengths, {64, 256}, constant),
             relu = measured("raf", kLengths, {64, 256}, falling);
  EXPECT_THAT(judged("raf", flat), ElementsAre(true, true));
  EXPECT_THAT(judged("raf", relu), ElementsAre(false, false));  // maps swapped
  EXPECT_THAT(judged("raf", scaled(flat, "sensitivity", 0.3)), ElementsAre(true, false));
  EXPECT_THAT(judged("raf-relu", relu), ElementsAre(true));
  EXPECT_THAT(judged("raf-relu", flat), ElementsAre(false));
}

TEST(RafVerdicts, AreJudgedAtTheLargestD) {
  const auto by_d = [](double n, double d) { return d < 100 ? falling(n, d) : constant(n, d); };
  EXPECT_THAT(judged("raf", measured("raf", kLengths, {64, 256}, by_d)), ElementsAre(true, true));
}

TEST(NormalisersVerdicts, NoticeAnotherMapThatKeepsUpWithTheSoftmax) {
  const Rows softmax = measured("raf", kLengths, {256}, constant);
  EXPECT_THAT(judged("normalisers", joined(softmax, measured("raf-square", kLengths, {256}, falling))),
              ElementsAre(true));
  EXPECT_THAT(judged("normalisers", joined(softmax, measured("raf-square", kLengths, {256}, constant))),
              ElementsAre(false));
}

TEST(TemperatureVerdicts, NoticeSwappedTemperatures) {
  const auto at = [](double soft, double sharp) {
    return joined(with(measured("raf", kLengths, {256}, falling), "beta", soft),
                  with(measured("raf", kLengths, {256}, constant), "beta", sharp));
  };
  EXPECT_THAT(judged("temperature", at(0.1, 4)), ElementsAre(true, true));
  EXPECT_THAT(judged("temperature", at(4, 0.1)), ElementsAre(false, false));
}

Rows widths(double gain, double exponent) {
  Rows rows;
  for (const double ratio : {0.25, 1.0, 4.0})
    for (Record row : measured("rf", kLengths, {16},
                               [&](double n, double) { return std::pow(ratio, gain) * std::pow(n, exponent); })) {
      row.set("width", ratio * row.number("n") * row.number("d"));
      rows.push_back(row);
    }
  return rows;
}

TEST(WidthVerdicts, NoticeWidthThatHelpsAndCurvesThatDoNotFall) {
  EXPECT_THAT(judged("width", widths(-0.05, -0.55)), ElementsAre(true, true));
  EXPECT_THAT(judged("width", widths(0.5, -0.55)), ElementsAre(true, false));
  EXPECT_THAT(judged("width", widths(-0.05, 0)), ElementsAre(false, true));
}

// rf: S = factor·(M/n)^exponent; raf: S with one word is `kept` of S with all.
Rows words_needed(double factor, double exponent, double kept) {
  constexpr double kLength = 100;
  Rows rows;
  for (const std::int64_t moved : {1, 2, 4, 8, 16, 32, 100}) {
    const double share = static_cast<double>(moved) / kLength;
    const auto features = [&](double, double) {
      return moved == 100 ? factor * 2.0 : factor * 2 * std::pow(share, exponent);
    };
    const auto attention = [&](double, double) { return 3 * (kept + (1 - kept) * share); };
    rows =
        joined(rows, with(joined(measured("rf", {kLength}, {8}, features), measured("raf", {kLength}, {64}, attention)),
                          "moved_tokens", moved));
  }
  return rows;
}

TEST(WordsNeededVerdicts, TellARootFromOtherLaws) {
  EXPECT_THAT(judged("words-needed", words_needed(1, 0.55, 0.9)), ElementsAre(true, true, true));
  EXPECT_THAT(judged("words-needed", words_needed(1, 1, 0.9)), ElementsAre(false, true, true));
  EXPECT_THAT(judged("words-needed", words_needed(1, 0.1, 0.9)), ElementsAre(false, false, true));
  EXPECT_THAT(judged("words-needed", words_needed(5, 0.55, 0.9)), ElementsAre(true, true, true)) << "no unit of S";
}

TEST(WordsNeededVerdicts, NoticeAttentionThatNeedsMoreWords) {
  EXPECT_THAT(judged("words-needed", words_needed(1, 0.55, 0.2)), ElementsAre(true, true, false));
}

TEST(WordsNeededVerdicts, NoticeSwappedMaps) {
  Rows rows = words_needed(1, 0.55, 0.9);
  for (Record& row : rows) row.set("map", row.text("map") == "rf" ? "raf" : "rf");
  EXPECT_THAT(judged("words-needed", rows), ElementsAre(false, false, false));
}

TEST(WordsNeededVerdicts, NoticeThatAllWordsOrOneWereNotMeasured) {
  for (const double gone : {1.0, 100.0}) {
    Rows rows = words_needed(1, 0.55, 0.9);
    std::erase_if(rows, [&](const Record& row) { return row.number("moved_tokens") == gone; });
    EXPECT_THAT(judged("words-needed", rows), ElementsAre(true, false, false)) << gone;
  }
}

TEST(WordsNeededVerdicts, NoticeShuffledNumbersOfWords) {
  Rows rows = words_needed(1, 0.55, 0.9);
  for (size_t k = 0; k < rows.size(); ++k) rows[k].set("moved_tokens", std::int64_t{1} << (k % 5));
  EXPECT_FALSE(judged("words-needed", rows).front());
}

TEST(SpikeMapVerdicts, NoticeSwappedDimensions) {
  const auto map = [](double narrow, double wide) {
    const Rows rows = joined(measured("raf", kLengths, {narrow}, falling), measured("raf", kLengths, {wide}, constant));
    return joined(with(rows, "spike", "0"), with(rows, "spike", "0.6"));
  };
  EXPECT_THAT(judged("spike-map", map(16, 256)), ElementsAre(true, true));
  EXPECT_THAT(judged("spike-map", map(256, 16)), ElementsAre(false, false));
}

// Rows of the maps and models as the figure says they are; `raf_word` is what the worst word does to raf.
Rows worst_and_typical(const std::function<double(double n)>& raf_word) {
  const auto of = [](const char* family, const char* map, double move_exponent, const auto& word) {
    Rows rows;
    for (const double n : {10, 30, 100, 250})
      for (const std::int64_t trial : {0, 1, 2})
        rows.push_back({{"family", family},
                        {"map", map},
                        {"n", static_cast<std::int64_t>(n)},
                        {"d", std::int64_t{256}},
                        {"trial", trial},
                        {"sensitivity", jitter(trial) * 2.5 * std::pow(n, move_exponent)},
                        {"worst_word_change", jitter(trial) * word(n)},
                        {"typical", jitter(trial) * 0.5 * word(n)},
                        {"left_out", jitter(trial) * 0.6 * word(n)}});
    return rows;
  };
  const auto falls = [](double n) { return 1.8 / std::sqrt(n); };
  Rows rows = joined(of("features", "rf", -0.5, falls), of("deep features", "drf", -0.5, falls));
  rows = joined(rows, of("attention", "raf", 0, raf_word));
  rows = joined(rows, of("attention", "raf-relu", -0.5, falls));
  return joined(rows, joined(of("encoder", "builtin", 0, falls), of("decoder", "builtin-decoder", 0, falls)));
}

TEST(WorstAndTypicalVerdicts, HoldWhereWordsFallAndTheWorstMoveDoesNot) {
  const auto falls = [](double n) { return 1.8 / std::sqrt(n); };
  EXPECT_THAT(judged("worst-and-typical", worst_and_typical(falls)), ElementsAre(true, true, true, true, true, true));
}

TEST(WorstAndTypicalVerdicts, FailWhereAWordDoesWhatTheWorstMoveDoes) {
  const auto as_the_move = [](double) { return 2.0; };
  EXPECT_THAT(judged("worst-and-typical", worst_and_typical(as_the_move)),
              ElementsAre(false, false, false, false, true, false));
}

TEST(WorstAndTypicalVerdicts, SeeOneMapThatKeepsATypicalWord) {
  Rows rows = worst_and_typical([](double n) { return 1.8 / std::sqrt(n); });
  for (Record& row : rows)
    if (row.text("map") == "raf-relu") row.set("typical", 0.3 * jitter(static_cast<std::int64_t>(row.number("trial"))));
  EXPECT_THAT(judged("worst-and-typical", rows), ElementsAre(true, true, true, false, true, true));
  EXPECT_THAT(figure_registry().get("worst-and-typical").verdicts(rows)[3].measured, testing::HasSubstr("raf-relu"));
}

TEST(WorstAndTypicalVerdicts, SeeRandomFeaturesWhoseWordsDoLittle) {
  Rows rows = worst_and_typical([](double n) { return 1.8 / std::sqrt(n); });
  for (Record& row : rows)
    if (row.text("map") == "rf") row.set("typical", 0.2 * row.number("typical"));
  EXPECT_THAT(judged("worst-and-typical", rows), ElementsAre(true, true, true, true, false, false));
}

TEST(WorstAndTypicalVerdicts, DoNotTakeModelsForMaps) {
  Rows rows = worst_and_typical([](double n) { return 1.8 / std::sqrt(n); });
  for (Record& row : rows)
    if (row.text("family") == "encoder") row.set("typical", 1.0);
  EXPECT_THAT(judged("worst-and-typical", rows), Each(true));
}

// S of raf and rf for three kinds of words; those of the embeddings are scaled.
Rows correlated_words(double raf_scale, double rf_scale, double rf_exponent, double all_one = 1) {
  Rows rows;
  for (const char* words : {"orthogonal, orthogonal", "repeated words, repeated:1", "embeddings"}) {
    const bool last = std::string(words) == "embeddings", one = words[0] == 'r';
    const auto raf = [&](double, double) { return one ? all_one : 3 * (last ? raf_scale : 1); };
    const auto rf = [&](double n, double) { return (last ? rf_scale : 1) * std::pow(n, last ? rf_exponent : -0.55); };
    const Rows both = joined(measured("raf", {10, 20, 40}, {256}, raf), measured("rf", {10, 20, 40}, {64}, rf));
    rows = joined(rows, with(with(both, "words", words), "first_direction", one ? 1.0 : 0.1));
  }
  return rows;
}

TEST(CorrelatedWordsVerdicts, HoldWhereWordsMatterToAttentionAlone) {
  EXPECT_THAT(judged("correlated-words", correlated_words(1, 1, -0.55)), ElementsAre(true, true, true, true));
  EXPECT_THAT(judged("correlated-words", correlated_words(3, 1, -0.55)), ElementsAre(true, true, true, true));
}

TEST(CorrelatedWordsVerdicts, FailOnOneKindThatIsDifferent) {
  EXPECT_THAT(judged("correlated-words", correlated_words(0.2, 1, -0.55)), ElementsAre(true, true, false, true));
  EXPECT_THAT(judged("correlated-words", correlated_words(1, 1.5, -0.55)), ElementsAre(true, false, true, true));
  EXPECT_THAT(judged("correlated-words", correlated_words(1, 0.6, -0.55)), ElementsAre(true, false, true, true));
  EXPECT_FALSE(judged("correlated-words", correlated_words(1, 1, -0.1)).front());
  EXPECT_FALSE(judged("correlated-words", correlated_words(1, 1, -0.9)).front());
}

TEST(CorrelatedWordsVerdicts, FailWhereWordsThatAreOneDoAsMuchAsOrthogonalOnes) {
  EXPECT_THAT(judged("correlated-words", correlated_words(1, 1, -0.55, 3)), ElementsAre(true, true, true, false));
}

TEST(CorrelatedWordsVerdicts, FailWhereAKindWasNotMeasured) {
  Rows rows = correlated_words(1, 1, -0.55);
  for (Record& row : rows)
    if (row.text("words") == "embeddings") row.set("sensitivity", Value());
  EXPECT_THAT(judged("correlated-words", rows), ElementsAre(false, false, false, true));
}

}  // namespace
}  // namespace wordsway::test
