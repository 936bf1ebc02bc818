// The study behind `wordsway measure`: its grid, its rows against direct calls, and what makes it another study.
#include "wordsway/study/measure_study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/cuda/cuda_engine.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

MeasureConfig small(std::vector<std::string> maps = {"raf"}) {
  MeasureConfig config;
  config.maps = std::move(maps);
  config.n = {4};
  config.d = {3};
  config.trials = 1;
  config.data = synthetic_source("sphere", 1);
  return config;
}

std::vector<std::string> measured_points(const MeasureStudy& study) {
  std::vector<std::string> points;
  for (Index task = 0; task < study.size(); ++task) {
    const Record key = study.key(task);
    points.push_back(
        fmt::format("{} d={} n={} trial={}", key.text("map"), key.number("d"), key.number("n"), key.number("trial")));
  }
  return points;
}

// What the study should measure in a trial, step by step as its header says.
SampleSensitivity directly(const MeasureConfig& config, std::uint64_t trial) {
  const Index n = config.n.front(), d = config.d.front();
  MapOptions options;
  options.n = n;
  options.d = d;
  const Stream stream =
      Stream(config.seed).derive(static_cast<std::uint64_t>(n)).derive(static_cast<std::uint64_t>(d)).derive(trial);
  const auto map = map_registry().get(config.maps.front()).draw(options, stream.derive("weights"));
  const auto sample = map->at(config.data->sample(n, d, trial));
  if (!config.token) return measure_tokens(*sample, config.search, stream.derive("starts"));
  return measure_tokens(*sample, std::array{*config.token}, config.search, stream.derive("starts"));
}

TEST(MeasureStudy, RunsOverMapsThenDThenNThenTrials) {
  MeasureConfig config = small({"raf", "rf"});
  config.n = {4, 5};
  config.d = {3, 2};
  config.trials = 2;
  const auto points = measured_points(MeasureStudy(config));
  ASSERT_EQ(points.size(), 16U);
  EXPECT_THAT(std::vector(points.begin(), points.begin() + 5),
              ElementsAre("raf d=3 n=4 trial=0", "raf d=3 n=4 trial=1", "raf d=3 n=5 trial=0", "raf d=3 n=5 trial=1",
                          "raf d=2 n=4 trial=0"));
  EXPECT_EQ(points[8], "rf d=3 n=4 trial=0");
}

TEST(MeasureStudy, DoesNotRepeatAMapForParametersThatItLacks) {
  MeasureConfig config = small({"raf", "rf"});
  config.parameters["beta"] = parameter_list<double>({0.5, 1, 2});
  const MeasureStudy study(config);
  ASSERT_EQ(study.size(), 4);
  for (Index task = 0; task < 3; ++task) EXPECT_EQ(study.key(task).text("map"), "raf");
  EXPECT_EQ(study.key(0).number("beta"), 0.5);
  EXPECT_EQ(study.key(2).number("beta"), 2);
  EXPECT_EQ(study.key(3).text("map"), "rf");
  EXPECT_TRUE(study.key(3).missing("beta"));
}

TEST(MeasureStudy, CountsAPointOnceThatIsListedTwice) {
  MeasureConfig config = small();
  config.n = {4, 4};
  config.maps = {"raf", "raf"};
  EXPECT_EQ(MeasureStudy(config).size(), 1);
}

TEST(MeasureStudy, MeasuresWhatADirectCallWithTheSameStreamsDoes) {
  MeasureConfig config = small();
  config.trials = 3;
  config.seed = 7;
  config.token = 2;
  const Record row = MeasureStudy(config).run(1).front();
  const TokenSensitivity expected = directly(config, 1).most;
  EXPECT_EQ(row.number("sensitivity"), expected.sensitivity);
  EXPECT_EQ(row.number("token"), 2);
  EXPECT_EQ(row.number("evaluations"), static_cast<double>(expected.evaluations));
  EXPECT_DOUBLE_EQ(row.number("delta_norm"), expected.delta.norm());
  EXPECT_NE(row.number("sensitivity"), directly(config, 2).most.sensitivity) << "trials are drawn apart";
  EXPECT_EQ(row.find("token_sensitivities"), nullptr);
}

TEST(MeasureStudy, OfAllTokensGivesEachAndTheLargest) {
  MeasureConfig config = small();
  config.token = std::nullopt;
  const Record row = MeasureStudy(config).run(0).front();
  const SampleSensitivity expected = directly(config, 0);
  EXPECT_EQ(*row.find("token_sensitivities"), Value(expected.sensitivities));
  ASSERT_EQ(expected.sensitivities.size(), 4U);
  EXPECT_EQ(row.number("sensitivity"), *std::max_element(expected.sensitivities.begin(), expected.sensitivities.end()));
  EXPECT_EQ(expected.sensitivities[static_cast<size_t>(row.number("token"))], row.number("sensitivity"));
}

TEST(MeasureStudy, ComparesMapsOnTheSameSamplesAndWeights) {
  std::vector<Matrix> weights;
  MeasureConfig config = small({"raf", "raf-relu"});
  config.observe = [&](const Measurement& found) { weights.push_back(found.map->weights()); };
  const MeasureStudy study(config);
  study.run(0);
  study.run(1);
  ASSERT_EQ(weights.size(), 2U);
  EXPECT_EQ(weights[0], weights[1]);
}

TEST(MeasureStudy, ObservesTheMoveThatItsRowSpeaksOf) {
  MeasureConfig config = small();
  Measurement seen;
  config.observe = [&](const Measurement& found) { seen.delta = found.delta, seen.row = found.row; };
  const Record row = MeasureStudy(config).run(0).front();
  EXPECT_EQ(seen.row, row);
  EXPECT_DOUBLE_EQ(seen.delta.norm(), row.number("delta_norm"));
}

TEST(MeasureStudy, PredictsForWeightsThatAreDrawnAndNotForGivenOnes) {
  MeasureConfig config = small({"rf"});
  const Record drawn = MeasureStudy(config).run(0).front();
  ASSERT_FALSE(drawn.missing("predicted"));
  // ρ = √d moves a token by its own length.
  const Prediction expected = map_registry().get("rf").predict(MapOptions{4, 3, {}, {}},
                                                               TokenGeometry{4 * 3.0, std::sqrt(3.0), std::sqrt(3.0)});
  EXPECT_NEAR(drawn.number("predicted"), expected.limit, 1e-12);
  config.weights = Matrix::Random(12, 12);
  EXPECT_TRUE(MeasureStudy(config).run(0).front().missing("predicted"));
}

TEST(MeasureStudy, MeasuresWithGivenWeights) {
  MeasureConfig config = small({"rf"});
  config.weights = Matrix::Random(12, 12);
  const Record row = MeasureStudy(config).run(0).front();
  const auto map = map_registry().get("rf").with_weights(MapOptions{4, 3, {}, "dense"}, *config.weights);
  EXPECT_NEAR(row.number("feature_norm"), map->features_reference(config.data->sample(4, 3, 0)).norm(), 1e-9);
  EXPECT_EQ(row.text("random"), "dense");
}

TEST(MeasureStudy, IsAnotherOneWhenAnySettingIs) {
  const Record first = MeasureStudy(small()).config();
  EXPECT_EQ(first, MeasureStudy(small()).config());
  const std::vector<std::pair<const char*, std::function<void(MeasureConfig&)>>> changes = {
      {"map", [](auto& c) { c.maps = {"raf-relu"}; }},
      {"n", [](auto& c) { c.n = {5}; }},
      {"d", [](auto& c) { c.d = {2}; }},
      {"beta", [](auto& c) { c.parameters["beta"] = parameter_list<double>({2}); }},
      {"random", [](auto& c) { c.random = "dense"; }},
      {"data", [](auto& c) { c.data = synthetic_source("spiked:0.3", 1); }},
      {"token", [](auto& c) { c.token = 1; }},
      {"token", [](auto& c) { c.token = std::nullopt; }},
      {"radius", [](auto& c) { c.search.radius.value = 0.5; }},
      {"trials", [](auto& c) { c.trials = 2; }},
      {"seed", [](auto& c) { c.seed = 2; }},
      {"starts", [](auto& c) { c.search.starts = 2; }},
      {"steps", [](auto& c) { c.search.max_iterations = 7; }},
      {"tolerance", [](auto& c) { c.search.tolerance = 0.5; }},
      {"weights", [](auto& c) { c.weights = Matrix::Identity(3, 3); }}};
  for (const auto& [setting, change] : changes) {
    MeasureConfig config = small();
    change(config);
    const Record other = MeasureStudy(config).config();
    EXPECT_NE(*other.find(setting), *first.find(setting)) << setting;
  }
}

TEST(MeasureStudy, IsAnotherOneInAnotherUnitOfTheRadius) {
  MeasureConfig config = small();
  const Record first = MeasureStudy(config).config();
  EXPECT_EQ(first.find("radius_unit"), nullptr) << "journals of the usual unit go on";
  for (const RadiusUnit unit : {RadiusUnit::kTokenNorm, RadiusUnit::kAbsolute}) {
    config.search.radius.unit = unit;
    EXPECT_EQ(MeasureStudy(config).config().text("radius_unit"), to_string(unit));
  }
}

TEST(MeasureStudy, IsToldByWhatItReadsAndNotByItsName) {
  const std::vector<double> values(12, 1.0);
  const auto content_of = [](const char* name, std::vector<double> samples, double weight) {
    MeasureConfig config = small({"raf"});
    config.data = array_source(name, {4, 3}, std::move(samples), true);
    config.weights = Matrix::Constant(3, 3, weight);
    return MeasureStudy(config).content().fields;
  };
  std::vector<double> others = values;
  others[5] = 2;
  EXPECT_EQ(content_of("a.npy", values, 1), content_of("b.npy", values, 1));
  EXPECT_NE(content_of("a.npy", values, 1), content_of("a.npy", others, 1));
  EXPECT_NE(content_of("a.npy", values, 1), content_of("a.npy", values, 2));
  EXPECT_EQ(MeasureStudy(small()).content().labels.front().setting, "data");
}

TEST(MeasureStudy, RemembersTheMethodOfEveryMap) {
  const Record content = MeasureStudy(small({"raf", "rf"})).content().fields;
  EXPECT_FALSE(content.missing("method of raf"));
  EXPECT_FALSE(content.missing("method of rf"));
  EXPECT_EQ(content.find("method of drf"), nullptr);
  EXPECT_EQ(content.number("method of the search"), kSearchMethod);
}

TEST(MeasureStudy, KnowsThatLargerPointsTakeMore) {
  MeasureConfig config = small({"raf"});
  config.n = {10, 100};
  config.d = {8, 32};
  const MeasureStudy study(config);  // (10, 8), (100, 8), (10, 32), (100, 32)
  for (const auto& [less, more] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 3), std::pair(2, 3)}) {
    EXPECT_LT(study.memory_bytes(less), study.memory_bytes(more)) << less;
    EXPECT_LT(study.work(less), study.work(more)) << less;
  }
}

TEST(MeasureStudy, KnowsThatStartsStepsAndTokensTakeTime) {
  MeasureConfig config = small();
  config.search.starts = 2;
  const double one = MeasureStudy(config).work(0);
  config.token = std::nullopt;
  EXPECT_DOUBLE_EQ(MeasureStudy(config).work(0), 4 * one);
  config.search.starts = 6;
  EXPECT_DOUBLE_EQ(MeasureStudy(config).work(0), 12 * one);
  config.search.max_iterations = 1;
  EXPECT_LT(MeasureStudy(config).work(0), 12 * one);
}

TEST(MeasureStudy, TellsKindsApartByMapNamedChoiceAndWayOfHolding) {
  MeasureConfig config = small({"rf"});
  config.n = {4, 8};
  config.parameters["activation"] = parameter_list<std::string>({"relu", "gelu"});
  const MeasureStudy study(config);
  EXPECT_EQ(study.kind(0), study.kind(1)) << "sizes change the work, not the kind";
  EXPECT_NE(study.kind(0), study.kind(2));
  config.random = "dense";
  EXPECT_NE(MeasureStudy(config).kind(0), study.kind(0));
}

TEST(MeasureStudy, RefusesWhatMakesNoSense) {
  const std::vector<std::pair<const char*, std::function<void(MeasureConfig&)>>> changes = {
      {"source of data", [](auto& c) { c.data = nullptr; }},
      {"n must be at least 1; got 0",
       [](auto& c) {
         c.n = {4, 0};
       }},
      {"d must be at least 1; got -2", [](auto& c) { c.d = {-2}; }},
      {"trials must be at least 1; got 0", [](auto& c) { c.trials = 0; }},
      {"radius must be a number not below 0; got -1", [](auto& c) { c.search.radius.value = -1; }},
      {"got nan", [](auto& c) { c.search.radius.value = std::nan(""); }},
      {"got inf", [](auto& c) { c.search.radius.value = HUGE_VAL; }},
      {"with n = 4 there are tokens 0 to 3",
       [](auto& c) {
         c.n = {9, 4}, c.token = 4;
       }},
      {"token -1 is out of range", [](auto& c) { c.token = -1; }},
      {"unknown map", [](auto& c) { c.maps = {"ref"}; }},
      {"held dense; 'streamed'", [](auto& c) { c.weights = Matrix::Identity(3, 3), c.random = "streamed"; }}};
  for (const auto& [reason, change] : changes) {
    MeasureConfig config = small();
    change(config);
    try {
      const MeasureStudy study(config);
      ADD_FAILURE() << "accepted: " << reason;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
}

TEST(MeasureStudy, RefusesADeviceThatIsNotThereOrWouldNotDo) {
  const auto why = [](const MeasureConfig& config) -> std::string {
    try {
      const MeasureStudy study(config);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  MeasureConfig config = small();
  config.device = {DeviceKind::kCuda, Precision::kTf32};
  EXPECT_THAT(why(config), HasSubstr("tf32 is for models"));
  config.device = {DeviceKind::kCuda, Precision::kF32};
  for (const std::vector<Index>& moved : {std::vector<Index>{}, std::vector<Index>{2}}) {
    config.moved_tokens = moved;
    if (!cuda_is_built()) {
      EXPECT_THAT(why(config), HasSubstr("--device cpu"));
    }
  }
}

TEST(MeasureStudy, TakesTheLastTokenAndARadiusOfNothing) {
  MeasureConfig config = small();
  config.token = 3;
  config.search.radius.value = 0;
  EXPECT_EQ(MeasureStudy(config).run(0).front().number("sensitivity"), 0);
}

// Everything but what words add and what they cost.
Record without_words(const Record& row) {
  Record result;
  for (const auto& [name, value] : row.fields())
    if (name != "typical" && name != "worst_word_change" && name != "words_tried" && name != "left_out" &&
        name != "seconds" && name != "memory_bytes")
      result.set(name, value);
  return result;
}

TEST(MeasureStudy, PutsWordsBesideTheWorstMoveAndChangesNothingElse) {
  for (const char* map : {"raf", "rf", "drf"}) {
    MeasureConfig config = small({map});
    config.token = 1;
    const Record plain = MeasureStudy(config).run(0).front();
    EXPECT_EQ(plain.find("typical"), nullptr);
    config.typical = 12;
    const Record row = MeasureStudy(config).run(0).front();
    EXPECT_EQ(without_words(row), without_words(plain)) << map;
    EXPECT_EQ(row.number("words_tried"), 12);
    EXPECT_GT(row.number("typical"), 0);
    EXPECT_GE(row.number("worst_word_change"), row.number("typical"));
    EXPECT_GT(row.number("left_out"), 0);
  }
}

TEST(MeasureStudy, ReplacesTokensByWordsOfItsData) {
  MeasureConfig config = small();
  config.typical = 5;
  config.token = std::nullopt;
  config.data = array_source(
      "x.npy", {2, 4, 3},
      [] {
        std::vector<double> values;
        for (int k = 0; k < 24; ++k) values.push_back(std::sin(k * k + 1.0));
        return values;
      }(),
      true);
  std::unique_ptr<FeatureMap> map;
  config.observe = [&](const Measurement& found) {
    map = map_registry().get("raf").with_weights(MapOptions{4, 3, {}, "dense"}, found.map->weights());
  };
  const Record row = MeasureStudy(config).run(0).front();
  const Matrix X = config.data->sample(4, 3, 0), phi = map->features_reference(X);
  double typical = 0, worst = 0, left_out = 0;
  const auto sample = map->at(X);
  for (Index token = 0; token < 4; ++token) {
    left_out += *left_out_change(*map, *sample, *sample->token(token), token) / 4;
    const Stream stream = Stream(config.seed)
                              .derive("replacement words")
                              .derive(std::uint64_t{0})
                              .derive(static_cast<std::uint64_t>(token));
    const ReplacementWords words = config.data->replacement_words({4, 3, 0, token}, 5, stream);
    ASSERT_EQ(words.rows.rows(), 7) << "the other rows of both samples";
    const auto change = [&](Index k) {
      Matrix replaced = X;
      replaced.row(token) = words.rows.row(k);
      return (map->features_reference(replaced) - phi).norm() / phi.norm();
    };
    for (const Index k : words.drawn) typical += change(k) / 20;
    for (Index k = 0; k < 7; ++k) worst = std::max(worst, change(k));
  }
  EXPECT_NEAR(row.number("typical"), typical, 1e-10);
  EXPECT_NEAR(row.number("worst_word_change"), worst, 1e-10);
  EXPECT_EQ(row.number("words_tried"), 28);
  EXPECT_NEAR(row.number("left_out"), left_out, 1e-10) << "the mean over the tokens";
}

TEST(MeasureStudy, IsAnotherOneWithWordsAndTheOldOneWithout) {
  MeasureConfig config = small();
  const MeasureStudy plain(config);
  EXPECT_EQ(plain.config().find("typical"), nullptr) << "journals without words go on";
  EXPECT_EQ(plain.content().fields.find("method of the replacement words"), nullptr);
  config.typical = 8;
  const MeasureStudy study(config);
  EXPECT_EQ(study.config().number("typical"), 8);
  EXPECT_EQ(study.content().fields.number("method of the replacement words"), kReplacementWordsMethod);
  EXPECT_GT(study.work(0), plain.work(0));
  EXPECT_GT(study.memory_bytes(0), plain.memory_bytes(0));
  config.typical = -1;
  EXPECT_THAT([&] { MeasureStudy{config}; }, testing::ThrowsMessage<UsageError>(HasSubstr("got -1")));
}

TEST(MeasureStudy, ExpectsMoreOfDeferredWeightsThatWordsLookAt) {
  for (const char* map : {"rf", "drf"}) {
    MapOptions options{30, 40, {}, "deferred"};
    if (std::string(map) == "drf") options.set("depth", 2);
    const MapEntry& entry = map_registry().get(map);
    const double plain = entry.memory_bytes(options);
    options.moves = 25;
    EXPECT_GE(entry.memory_bytes(options), plain + 8.0 * 1200 * 25) << map;
    options.random = "streamed";
    const double streamed = entry.memory_bytes(options);
    options.moves = 0;
    EXPECT_EQ(entry.memory_bytes(options), streamed) << map;
  }
}

// Tokens that move together, as many at a time as are listed.
TEST(MeasureStudyOfSeveralTokens, MeasuresWhatADirectCallMeasures) {
  for (const bool spread : {false, true}) {
    MeasureConfig config = small({"raf", "rf"});
    config.n = {9};
    config.moved_tokens = {1, 3};
    config.token = 2;
    config.spread = spread;
    const MeasureStudy study(config);
    ASSERT_EQ(study.size(), 4);
    EXPECT_EQ(study.key(1).number("moved_tokens"), 3);
    Vector delta;
    MeasureConfig observed = config;
    observed.observe = [&](const Measurement& found) { delta = found.delta; };
    const Record row = MeasureStudy(observed).run(1).front();
    MapOptions options;
    options.n = 9;
    options.d = 3;
    const Stream stream = Stream(config.seed).derive(9).derive(3).derive(0);
    const auto map = map_registry().get("raf").draw(options, stream.derive("weights"));
    const auto sample = map->at(config.data->sample(9, 3, 0));
    const std::vector<Index> moved = spread ? std::vector<Index>{2, 4, 6} : std::vector<Index>{2, 3, 4};
    const auto found = measure_together(*sample, moved, config.search, stream.derive("starts"));
    EXPECT_EQ(row.number("sensitivity"), found.sensitivity) << spread;
    EXPECT_EQ(row.number("token"), 2);
    EXPECT_EQ(row.number("moved_tokens"), 3);
    EXPECT_EQ(delta, found.delta);
    EXPECT_LE(row.number("delta_norm"), std::sqrt(3.0) * (1 + 1e-14));  // of the longest move
  }
}

TEST(MeasureStudyOfSeveralTokens, OfOneIsThatOfOneToken) {
  MeasureConfig config = small({"raf", "rf", "drf"});
  config.moved_tokens = {1};
  const MeasureStudy together(config), alone(small({"raf", "rf", "drf"}));
  for (Index task = 0; task < 3; ++task) {
    Record row = together.run(task).front(), expected = alone.run(task).front();
    for (const char* field : {"sensitivity", "upper_bound", "predicted", "predicted_finite", "evaluations"})
      EXPECT_EQ(row.find(field) ? *row.find(field) : Value(), *expected.find(field)) << field;
    EXPECT_TRUE(expected.missing("moved_tokens")) << "rows of one token are as they were";
  }
}

TEST(MeasureStudyOfSeveralTokens, IsAnotherStudy) {
  MeasureConfig config = small();
  const Record before = MeasureStudy(config).config();
  EXPECT_EQ(before.find("moved_tokens"), nullptr) << "journals of one token are as they were";
  EXPECT_EQ(before.find("spread"), nullptr);
  config.moved_tokens = {2};
  const Record next = MeasureStudy(config).config();
  EXPECT_FALSE(next == before);
  config.spread = true;
  EXPECT_FALSE(MeasureStudy(config).config() == next);
}

TEST(MeasureStudyOfSeveralTokens, PredictsWhereTheTokensAreEquallyLong) {
  MeasureConfig config = small({"rf"});
  config.n = {8};
  config.moved_tokens = {1, 2, 4, 8};
  const MeasureStudy study(config);
  double last = 0;
  for (Index task = 0; task < 4; ++task) {
    const double predicted = study.run(task).front().number("predicted");
    EXPECT_GT(predicted, last);
    last = predicted;
  }
}

TEST(MeasureStudyOfSeveralTokens, NeedsMoreMemoryAndWork) {
  for (const char* random : {"dense", "deferred"}) {
    MeasureConfig config = small({"rf"});
    config.random = random;
    config.moved_tokens = {1, 4};
    const MeasureStudy study(config);
    EXPECT_GT(study.work(1), 2 * study.work(0));
    EXPECT_GE(study.memory_bytes(1), study.memory_bytes(0));
  }
}

TEST(MeasureStudyOfSeveralTokens, RefusesWhatMakesNoSense) {
  const auto refusal = [](const std::function<void(MeasureConfig&)>& change) -> std::string {
    MeasureConfig config = small();
    config.moved_tokens = {2};
    change(config);
    try {
      const MeasureStudy study(config);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal([](MeasureConfig&) {}), "");
  EXPECT_THAT(refusal([](MeasureConfig& config) { config.moved_tokens = {2, 5}; }), HasSubstr("run past the end"));
  EXPECT_THAT(refusal([](MeasureConfig& config) { config.token = 3; }), HasSubstr("run past the end"));
  EXPECT_THAT(refusal([](MeasureConfig& config) { config.moved_tokens = {0}; }), HasSubstr("at least one"));
  EXPECT_THAT(refusal([](MeasureConfig& config) { config.token = std::nullopt; }), HasSubstr("first"));
  EXPECT_THAT(refusal([](MeasureConfig& config) { config.typical = 3; }), HasSubstr("replace one token"));
  EXPECT_THAT(refusal([](MeasureConfig& config) {
                config.moved_tokens = {};
                config.spread = true;
              }),
              HasSubstr("spread"));
}

TEST(MeasureStudy, SaysHowMuchOfTheSampleLiesInOneDirectionWhenAsked) {
  MeasureConfig config = small();
  EXPECT_EQ(MeasureStudy(config).run(0).front().find("first_direction"), nullptr);
  EXPECT_EQ(MeasureStudy(config).config().find("first_direction"), nullptr) << "journals stay what they were";
  config.first_direction = true;
  const MeasureStudy study(config);
  const Record row = study.run(0).front();
  const Matrix X = config.data->sample(static_cast<Index>(row.number("n")), static_cast<Index>(row.number("d")), 0);
  EXPECT_EQ(row.number("first_direction"), share_of_first_direction(X));
  EXPECT_NE(study.config().find("first_direction"), nullptr);
}

}  // namespace
}  // namespace wordsway
