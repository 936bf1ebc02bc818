// Verdicts on models, attention and learning: each holds on rows that say so, and fails on rows that are broken.
#include <gmock/gmock.h>

#include "figures/made_up_rows.h"

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
