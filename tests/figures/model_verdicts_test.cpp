// Verdicts on models, attention and learning: each holds on rows that say so, and fails on rows that are broken.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "figures/made_up_rows.h"
#include "support/places.h"
#include "wordsway/study/answers_study.h"

namespace wordsway::test {
namespace {

using testing::ElementsAre;

Record sentence(const char* text, const char* last, double to_last) {
  std::vector<double> attention;
  for (int j = 0; j < 4; ++j)
    for (const double value : {0.5, 0.5 - to_last, to_last, 0.0}) attention.push_back(value);
  return {{"text", text},
          {"pieces", std::vector<std::string>{"[CLS]", "love", last, "[SEP]"}},
          {"words", std::vector<std::int64_t>{-1, 0, 1, -1}},
          {"attention", attention}};
}

TEST(AttentionWordsVerdicts, NoticeAttentionThatStays) {
  const auto of = [](double first, double second) {
    return Rows{sentence("I love her much", "much", first), sentence("I love her smile", "smile", second)};
  };
  EXPECT_THAT(judged("attention-words", of(0.1, 0.2)), ElementsAre(true));
  EXPECT_THAT(judged("attention-words", of(0.2, 0.1)), ElementsAre(true));
  EXPECT_THAT(judged("attention-words", of(0.1, 0.11)), ElementsAre(false));
}

// Rows for ten pairs whose word decides and ten neutral ones at each of two lengths; the arguments say how many
// succeed.
Rows answered(Index right, Index different, Index neutral_same, double divergence, double neutral_divergence) {
  Rows rows;
  for (const std::int64_t n : {20, 200})
    for (Index k = 0; k < 40; ++k) {
      rows.push_back({{"part", "pairs"},
                      {"n", n},
                      {"decides", true},
                      {"kind", "again"},
                      {"right", std::int64_t{k < right ? 2 : 1}},
                      {"differ", k < different},
                      {"divergence", jitter(k) * divergence}});
      rows.push_back({{"part", "pairs"},
                      {"n", n},
                      {"decides", false},
                      {"kind", "again"},
                      {"right", std::int64_t{2}},
                      {"differ", k >= neutral_same},
                      {"divergence", jitter(k) * neutral_divergence}});
    }
  return rows;
}

TEST(AnswersVerdicts, NoticeWrongAnswersAndAnswersThatStayOrChangeForNothing) {
  EXPECT_THAT(judged("answers", answered(38, 40, 39, 0.9, 0.1)), ElementsAre(true, true, true, true, true));
  EXPECT_THAT(judged("answers", answered(38, 40, 20, 0.9, 0.1)), ElementsAre(true, true, true, false, true));
  EXPECT_THAT(judged("answers", answered(20, 40, 39, 0.9, 0.1)), ElementsAre(true, false, false, true, true));
  EXPECT_THAT(judged("answers", answered(0, 0, 40, 0.1, 0.1)), ElementsAre(false, false, false, true, false))
      << "a decoder that does not see the word";
  // The same pairs with deciding and neutral ones swapped.
  Rows swapped = answered(38, 40, 39, 0.9, 0.1);
  for (Record& row : swapped) row.set("decides", !std::get<bool>(*row.find("decides")));
  EXPECT_THAT(judged("answers", swapped), ElementsAre(false, true, true, false, false));
}

// Two sentences of each of thirty words. The opposite moves a model less in the first `missed` words.
Rows with_opposites(Index missed_by_encoder, Index missed_by_decoder, bool shuffled = true) {
  Rows rows;
  for (const auto& [model, missed] : {std::pair{"encoder", missed_by_encoder}, {"decoder", missed_by_decoder}})
    for (Index word = 0; word < 30; ++word)
      for (Index sentence = 0; sentence < 2; ++sentence)
        rows.push_back({{"model", model},
                        {"lemma", fmt::format("word {}", word)},
                        {"word", fmt::format("word {}", word)},
                        {"synonym", "same"},
                        {"antonym", "opposite"},
                        {"synonym_change", 0.1},
                        {"antonym_change", word < missed ? 0.05 : 0.2},
                        {"swapped", shuffled && word % 2 == 0}});
  return rows;
}

TEST(OppositesVerdicts, NoticeModelsThatMissNoneAndModelsThatMissHalf) {
  EXPECT_THAT(judged("opposites", with_opposites(8, 15)), ElementsAre(true, true, true, true));
  EXPECT_THAT(judged("opposites", with_opposites(0, 15)), ElementsAre(true, true, false, true));
  EXPECT_THAT(judged("opposites", with_opposites(15, 0)), ElementsAre(false, true, true, false));
  EXPECT_THAT(judged("opposites", with_opposites(8, 15, false)), ElementsAre(true, false, true, true))
      << "labels that were not shuffled make no control";
}

// A real run on a decoder that has learnt nothing: random weights.
TEST(AnswersVerdicts, FailOnADecoderOfRandomWeights) {
  AnswersStudyConfig config;
  config.model = load_model(source_folder() / "tests/golden/generation/llama");
  config.n = {20, 50};
  config.pairs = 12;
  const AnswersStudy study(config);
  Rows rows;
  for (Index task = 0; task < study.size(); ++task) rows.push_back(study.run(task).front());
  const auto found = judged("answers", rows);
  EXPECT_FALSE(found[1]);
  EXPECT_FALSE(found[2]);
  EXPECT_FALSE(found[4]);
}

struct Learnt {
  std::string part, readout;
  std::int64_t both_right, ordered;  // of 120 pairs in long texts
};

Rows one_word(const std::vector<Learnt>& all) {
  Rows rows;
  for (const std::int64_t n : {20, 200})
    for (const Learnt& one : all)
      rows.push_back({{"part", one.part},
                      {"n", n},
                      {"trial", std::int64_t{0}},
                      {"readout", one.readout},
                      {"pairs", std::int64_t{120}},
                      {"right", 120 + one.both_right},
                      {"both_right", one.both_right},
                      {"ordered", one.ordered},
                      {"layer", std::int64_t{0}}});
  return rows;
}

TEST(OneWordTaskVerdicts, NoticeADecoderThatGuessesAndRandomMapsThatDoNot) {
  const auto of = [](std::int64_t answer, std::int64_t rf, std::int64_t raf, std::int64_t raf_ordered,
                     std::int64_t mean) {
    return one_word({{"rf", "interpolator", rf, 75},
                     {"drf", "interpolator", rf, 60},
                     {"raf-relu", "interpolator", 27, 115},
                     {"raf", "interpolator", raf, raf_ordered},
                     {"raf", "ridge", raf, raf_ordered},
                     {"raf, β = 4", "interpolator", 8, 95},
                     {"encoder", "mean", mean, 120},
                     {"decoder", "last", 100, 120},
                     {"decoder", "answer", answer, 120}});
  };
  EXPECT_THAT(judged("one-word-task", of(118, 5, 30, 119, 36)), ElementsAre(true, true, true, true, true, true, true));
  EXPECT_THAT(judged("one-word-task", of(30, 5, 30, 119, 36)), ElementsAre(false, true, true, true, true, true, false));
  EXPECT_THAT(judged("one-word-task", of(118, 90, 30, 119, 36)),
              ElementsAre(true, false, false, true, true, true, false));
  EXPECT_THAT(judged("one-word-task", of(118, 5, 30, 75, 36)), ElementsAre(true, true, true, false, false, true, true));
  EXPECT_THAT(judged("one-word-task", of(118, 5, 60, 119, 36)),
              ElementsAre(true, true, true, true, true, false, false));
}

// Rows of one normaliser for two seeds and three texts: S, the typical change, and how many of 1000 words are right.
struct TrainedNormaliser {
  const char* label;
  double sensitivity;
  std::int64_t right;
  double typical = 1, exponent = -0.5;  // of the typical change
};

Rows trained(const std::vector<TrainedNormaliser>& all) {
  Rows rows;
  for (const TrainedNormaliser& one : all)
    for (const char* seed : {"1", "2"})
      for (const std::int64_t n : {40, 90, 200}) {
        const std::string model = fmt::format("{}-seed-{}", one.label, seed);
        rows.push_back({{"measured", "learnt"},
                        {"part", "masked"},
                        {"n", n},
                        {"model", model},
                        {"normaliser", one.label},
                        {"masked", std::int64_t{1000}},
                        {"right", one.right}});
        for (std::int64_t trial = 0; trial < 3; ++trial)
          rows.push_back({{"measured", "changed"},
                          {"normaliser", one.label},
                          {"model", model},
                          {"n", n},
                          {"trial", trial},
                          {"sensitivity", jitter(trial) * one.sensitivity},
                          {"typical", jitter(trial) * one.typical * std::pow(static_cast<double>(n), one.exponent)}});
      }
  return rows;
}

Rows trained_as_found(double sigmoid, double hot, TrainedNormaliser square) {
  return trained({{"softmax, β = 0.25", hot, 730},
                  {"softmax", 0.6, 740},
                  {"softmax, β = 4", 0.7, 750},
                  {"sigmoid", sigmoid, 740},
                  square});
}

TEST(TrainedNormalisersVerdicts, NoticeWhatTrainingDidNotDo) {
  const auto found = [](double sigmoid, double hot, TrainedNormaliser square) {
    return judged("trained-normalisers", trained_as_found(sigmoid, hot, square));
  };
  EXPECT_THAT(found(0.6, 0.6, {"square", 0.25, 600}), ElementsAre(true, true, true, true, true, true, true));
  EXPECT_THAT(found(0.2, 0.6, {"square", 0.25, 600}), ElementsAre(true, false, true, true, true, true, true))
      << "a sigmoid that loses the word, as at random weights";
  EXPECT_THAT(found(0.6, 0.2, {"square", 0.25, 600}), ElementsAre(true, true, false, true, true, true, true))
      << "a temperature that stays";
  EXPECT_THAT(found(0.6, 0.6, {"square", 0.6, 740}), ElementsAre(true, true, true, false, false, true, true))
      << "a square that is like the softmax";
  EXPECT_THAT(found(0.6, 0.6, {"square", 0.25, 100}), ElementsAre(false, true, true, true, true, true, true))
      << "a square that learnt nothing";
  EXPECT_THAT(found(0.6, 0.6, {"square", 0.25, 600, 0.3}), ElementsAre(true, true, true, true, true, false, true))
      << "typical words that the square does not see";
  EXPECT_THAT(found(0.6, 0.6, {"square", 0.25, 600, 0.1, -0.02}),
              ElementsAre(true, true, true, true, true, testing::_, false))
      << "typical words that matter at any length";
}

// Softmaxes alone under the names of all: the study itself, on models that were swapped.
TEST(TrainedNormalisersVerdicts, FailWhereASquareIsASoftmax) {
  Rows rows = trained_as_found(0.6, 0.6, {"square", 0.25, 600});
  for (Record& row : rows)
    row.set("normaliser", row.text("normaliser") == "square"    ? "softmax"
                          : row.text("normaliser") == "softmax" ? "square"
                                                                : row.text("normaliser"));
  EXPECT_THAT(judged("trained-normalisers", rows), ElementsAre(true, false, true, false, false, true, true));
}

Rows attracted(double before, double after) {
  const auto to_second = [](double share) {
    std::vector<double> attention;
    for (int j = 0; j < 3; ++j)
      for (const double value : {1 - share, share, 0.0}) attention.push_back(value);
    return attention;
  };
  return {{{"text", "title"},
           {"pieces", std::vector<std::string>{"a", "b", "c"}},
           {"token", std::int64_t{1}},
           {"attention", to_second(before)},
           {"attention_after", to_second(after)}}};
}

TEST(AttractVerdicts, NoticeATokenThatDrawsNothingOrEverythingAnyway) {
  EXPECT_THAT(judged("attract", attracted(0.05, 0.95)), ElementsAre(true, true));
  EXPECT_THAT(judged("attract", attracted(0.05, 0.05)), ElementsAre(true, false));
  EXPECT_THAT(judged("attract", attracted(0.95, 0.95)), ElementsAre(false, true));
}

Rows layers(double ascent, double attract, double noise) {
  Rows rows;
  for (std::int64_t layer = 0; layer < 3; ++layer)
    for (std::int64_t trial = 0; trial < 3; ++trial) {
      rows.push_back({{"direction", "noise"}, {"trial", trial}, {"layer", layer}, {"change", jitter(trial) * noise}});
      if (trial > 0) continue;
      for (const auto& [direction, change] : {std::pair("ascent", ascent), std::pair("attract", attract)})
        rows.push_back({{"direction", std::string(direction)},
                        {"trial", trial},
                        {"layer", layer},
                        {"change", layer == 0 ? 0.1 : change}});
    }
  return rows;
}

TEST(LayersVerdicts, NoticeSwappedDirectionsAndAChangeThatDoesNotGrow) {
  EXPECT_THAT(judged("layers", layers(1.5, 0.8, 0.1)), ElementsAre(true, true, true));
  EXPECT_THAT(judged("layers", layers(0.1, 0.1, 1.5)), ElementsAre(false, false, false));
  EXPECT_THAT(judged("layers", layers(1.5, 1.4, 1.4)), ElementsAre(false, false, true));
  EXPECT_THAT(judged("layers", layers(1.5, 0.1, 0.1)), ElementsAre(true, false, true)) << "attract is only noise";
}

TEST(ModelDepthVerdicts, NoticeALastLayerThatSeesNothing) {
  const auto of = [](double first, double last) {
    const auto at = [](double value) { return [value](double, double) { return value; }; };
    return joined(with(measured("m", {64}, {256}, at(first)), "layer", std::int64_t{1}),
                  with(measured("m", {64}, {256}, at(last)), "layer", std::int64_t{4}));
  };
  EXPECT_THAT(judged("model-depth", of(1, 1.5)), ElementsAre(true, true));
  EXPECT_THAT(judged("model-depth", of(1, 0.3)), ElementsAre(false, false));
  EXPECT_THAT(judged("model-depth", of(3, 1)), ElementsAre(true, false));
}

TEST(ModelLengthVerdicts, TellATrainedModelFromRandomFeatures) {
  const std::vector<double> lengths = {16, 32, 64};
  EXPECT_THAT(judged("model-length", measured("m", lengths, {256}, [](double n, double) { return std::pow(n, -0.1); })),
              ElementsAre(true));
  EXPECT_THAT(judged("model-length", measured("m", lengths, {256}, [](double n, double) { return std::pow(n, -0.5); })),
              ElementsAre(false));
}

Rows positions(double last_random, double last_model) {
  Rows rows;
  for (const auto& [weights, map, last] :
       {std::tuple("random", "raf", last_random), std::tuple("model", "m", last_model)})
    for (std::int64_t trial = 0; trial < 3; ++trial)
      rows.push_back({{"weights", weights},
                      {"map", map},
                      {"n", std::int64_t{4}},
                      {"token_sensitivities", std::vector<double>{jitter(trial), 1.0, last, jitter(trial) * last}}});
  return rows;
}

TEST(PositionsVerdicts, NoticeALatePartThatIsNotSeen) {
  EXPECT_THAT(judged("positions", positions(1, 0.8)), ElementsAre(true, true));
  EXPECT_THAT(judged("positions", positions(0.4, 0.8)), ElementsAre(false, true));
  EXPECT_THAT(judged("positions", positions(1, 0.05)), ElementsAre(true, false));
}

// What theory and measurements say: random features on the curve, softmax attention below it, ReLU losing with n.
Rows learning(const std::string& on_curve, const std::string& below) {
  Rows rows = learnt(on_curve, 40, 3.8, 0.04, 0.95);
  rows = joined(rows, learnt(below, 120, 0.0001, 0.3, -1));
  rows = joined(rows, learnt("raf-relu", 40, 0.5, 0.5, 0.4));
  return with(joined(rows, learnt("raf-relu", 120, 2, 0.3, 0.8)), "train_size", std::int64_t{100});
}

TEST(GeneralizationVerdicts, NoticeSwappedMaps) {
  EXPECT_THAT(judged("generalization", learning("rf", "raf")), ElementsAre(true, true, true, true));
  EXPECT_THAT(judged("generalization", learning("raf", "rf")), ElementsAre(false, false, false, true));
}

TEST(GeneralizationVerdicts, NoticeSwappedLengths) {
  Rows rows = learning("rf", "raf");
  for (Record& row : rows)
    if (row.text("map") == "raf-relu") row.set("n", static_cast<std::int64_t>(160 - row.number("n")));
  EXPECT_FALSE(judged("generalization", rows).back());
}

TEST(GeneralizationVerdicts, NoticeASingleMoveThatIsLearnt) {
  Rows rows = learning("rf", "raf");
  rows.front().set("error", 0.5);
  EXPECT_FALSE(judged("generalization", rows).front());
}

TEST(PenaltyVerdicts, NoticeSwappedMapsAndScaledErrors) {
  const auto of = [](const char* better, const char* worse) {
    return joined(learnt(better, 120, 0.05, 0.3, 0), learnt(worse, 120, 1.5, 0.6, 0));
  };
  EXPECT_THAT(judged("penalty", of("raf", "raf-relu")), ElementsAre(true, true));
  EXPECT_THAT(judged("penalty", of("raf-relu", "raf")), ElementsAre(false, false));
  EXPECT_FALSE(judged("penalty", scaled(of("raf", "raf-relu"), "error", 100)).front());
}

TEST(DeepGeneralizationVerdicts, NoticeAMoveThatIsLearnt) {
  EXPECT_THAT(judged("deep-generalization", learnt("drf", 40, 3.8, 0.04, 0.95)), ElementsAre(true));
  EXPECT_THAT(judged("deep-generalization", learnt("drf", 40, 0.1, 0.04, 0.95)), ElementsAre(false));
}

}  // namespace
}  // namespace wordsway::test
