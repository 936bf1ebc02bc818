// The study behind `wordsway generalize`: its tasks, its rows against direct calls, and what makes it another study.
#include "wordsway/study/generalize_study.h"

#include <cmath>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "wordsway/core/error.h"
#include "wordsway/cuda/cuda_engine.h"
#include "wordsway/run/run_study.h"

namespace wordsway {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

GeneralizeConfig small_generalize() {
  GeneralizeConfig config;
  config.n = {4};
  config.d = {8};
  config.training_sizes = {5};
  config.trials = 1;
  config.data = synthetic_labelled_source("sphere", "halfspace", 1);
  return config;
}

std::vector<std::string> points_of(const GeneralizeStudy& study) {
  std::vector<std::string> points;
  for (Index task = 0; task < study.size(); ++task) {
    const Record key = study.key(task);
    points.push_back(fmt::format("{} d={} n={} N={} trial={}", key.text("map"), key.number("d"), key.number("n"),
                                 key.number("train_size"), key.number("trial")));
  }
  return points;
}

TEST(GeneralizeStudy, RunsOverMapsSizesTrainingSizesAndTrials) {
  GeneralizeConfig config = small_generalize();
  config.maps = {"raf", "raf-relu"};
  config.n = {4, 5};
  config.training_sizes = {5, 6};
  config.trials = 2;
  const auto points = points_of(GeneralizeStudy(config));
  ASSERT_EQ(points.size(), 16U);
  EXPECT_THAT(std::vector(points.begin(), points.begin() + 5),
              ElementsAre("raf d=8 n=4 N=5 trial=0", "raf d=8 n=4 N=5 trial=1", "raf d=8 n=4 N=6 trial=0",
                          "raf d=8 n=4 N=6 trial=1", "raf d=8 n=5 N=5 trial=0"));
  EXPECT_EQ(points[8], "raf-relu d=8 n=4 N=5 trial=0");
}

TEST(GeneralizeStudy, HasARowForEveryTrainingObjectiveAndPenalty) {
  GeneralizeConfig config = small_generalize();
  config.plan.penalties = {0, 1};
  const GeneralizeStudy study(config);
  const auto rows = study.run(0);
  std::vector<std::string> kinds;
  for (const Record& row : rows)
    kinds.push_back(row.text("training") + " " + row.text("objective") +
                    (row.missing("penalty") ? "" : fmt::format(" {}", row.number("penalty"))));
  EXPECT_THAT(kinds, ElementsAre("fine-tune align", "fine-tune error 0", "fine-tune error 1", "retrain align",
                                 "retrain error 0", "retrain error 1"));
  EXPECT_EQ(study.row_count(0), static_cast<Index>(rows.size()));
}

TEST(GeneralizeStudy, FindsWhatADirectCallWithTheSameStreamsDoes) {
  GeneralizeConfig config = small_generalize();
  config.trials = 2;
  config.seed = 5;
  config.radius = 0.5;
  config.plan.token = 1;
  const auto rows = GeneralizeStudy(config).run(1);

  const LabelledSamples drawn = config.data->draw(4, 8, 5, 1);
  const Stream stream = Stream(5).derive(4).derive(8).derive(1);
  MapOptions options;
  options.n = 4;
  options.d = 8;
  const auto view =
      draw_learner_view(map_registry().get("raf"), options, stream.derive("weights"), {drawn.training, drawn.X, 1});
  GeneralizationPlan plan = config.plan;
  plan.descent.radius = 0.5 * std::sqrt(8.0);
  const Generalization expected = generalize(*view, drawn.labels, drawn.label, plan, stream.derive("starts"));
  ASSERT_EQ(rows.size(), expected.outcomes.size());
  for (size_t k = 0; k < rows.size(); ++k) {
    const Outcome& outcome = expected.outcomes[k];
    EXPECT_EQ(rows[k].number("error"), outcome.error) << k;
    EXPECT_EQ(rows[k].number("gamma"), outcome.gamma) << k;
    EXPECT_EQ(rows[k].number("alignment"), outcome.alignment) << k;
    EXPECT_DOUBLE_EQ(rows[k].number("delta_norm"), outcome.delta.norm()) << k;
    EXPECT_LE(rows[k].number("delta_norm"), plan.descent.radius * (1 + 1e-12)) << k;
    EXPECT_EQ(rows[k].number("condition"), expected.condition) << k;
  }
}

TEST(GeneralizeStudy, KeepsItsDefinitionsOfGammaAndError) {
  const GeneralizeConfig config = small_generalize();
  const double label = config.data->draw(4, 8, 5, 0).label;
  for (const Record& row : GeneralizeStudy(config).run(0)) {
    EXPECT_NEAR(row.number("output_after"), label, 1e-6) << "the new sample is learnt";
    EXPECT_DOUBLE_EQ(row.number("gamma"), std::abs(row.number("perturbed_before") - row.number("output_before")));
    EXPECT_NEAR(row.number("error"), std::pow(row.number("perturbed_after") + label, 2), 1e-12);
  }
}

TEST(GeneralizeStudy, FindsTheSameOfAMapWhateverOthersAreBesideIt) {
  GeneralizeConfig config = small_generalize();
  config.maps = {"raf", "raf-relu"};
  const auto beside = GeneralizeStudy(config).run(1);
  config.maps = {"raf-relu"};
  const auto alone = GeneralizeStudy(config).run(0);
  ASSERT_EQ(beside.size(), alone.size());
  for (size_t k = 0; k < alone.size(); ++k) EXPECT_EQ(beside[k].number("error"), alone[k].number("error")) << k;
}

TEST(GeneralizeStudy, ObservesTheSimulationOfItsRows) {
  GeneralizeConfig config = small_generalize();
  std::vector<Simulation> seen;
  config.observe = [&](const Simulation& found) { seen.push_back(found); };
  const auto rows = GeneralizeStudy(config).run(0);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].rows, rows);
  EXPECT_EQ(seen[0].result.outcomes.size(), rows.size());
}

TEST(GeneralizeStudy, RowsBeginWithTheirKeySoThatAJournalCanResume) {
  const GeneralizeStudy study(small_generalize());
  const Record key = study.key(0);
  for (const Record& row : run_task(study, 0))
    for (size_t k = 0; k < key.fields().size(); ++k) EXPECT_EQ(row.fields()[k], key.fields()[k]);
}

TEST(GeneralizeStudy, IsAnotherOneWhenAnySettingIs) {
  const Record first = GeneralizeStudy(small_generalize()).config();
  EXPECT_EQ(first, GeneralizeStudy(small_generalize()).config());
  const std::vector<std::pair<const char*, std::function<void(GeneralizeConfig&)>>> changes = {
      {"map", [](auto& c) { c.maps = {"raf-relu"}; }},
      {"n", [](auto& c) { c.n = {5}; }},
      {"d", [](auto& c) { c.d = {9}; }},
      {"train_size", [](auto& c) { c.training_sizes = {6}; }},
      {"beta", [](auto& c) { c.map.set("beta", 2.0); }},
      {"random", [](auto& c) { c.map.random = "dense"; }},
      {"data", [](auto& c) { c.data = synthetic_labelled_source("sphere", "coin", 1); }},
      {"token", [](auto& c) { c.plan.token = 1; }},
      {"radius", [](auto& c) { c.radius = 2; }},
      {"training", [](auto& c) { c.plan.trainings = {Training::kRetrain}; }},
      {"objective", [](auto& c) { c.plan.objectives = {ObjectiveKind::kError}; }},
      {"penalty", [](auto& c) { c.plan.penalties = {0.5}; }},
      {"trials", [](auto& c) { c.trials = 2; }},
      {"seed", [](auto& c) { c.seed = 2; }},
      {"starts", [](auto& c) { c.plan.descent.starts = 1; }},
      {"steps", [](auto& c) { c.plan.descent.max_iterations = 1; }},
      {"tolerance", [](auto& c) { c.plan.descent.tolerance = 0.1; }},
      {"weights", [](auto& c) { c.weights = Matrix::Identity(8, 8); }}};
  for (const auto& [setting, change] : changes) {
    GeneralizeConfig config = small_generalize();
    change(config);
    EXPECT_NE(*GeneralizeStudy(config).config().find(setting), *first.find(setting)) << setting;
  }
}

TEST(GeneralizeStudy, IsToldByItsWeightsToo) {
  GeneralizeConfig config = small_generalize();
  config.weights = Matrix::Identity(8, 8);
  const Record first = GeneralizeStudy(config).content().fields;
  config.weights = 2 * Matrix::Identity(8, 8);
  EXPECT_NE(GeneralizeStudy(config).content().fields, first);
  EXPECT_NE(GeneralizeStudy(config).run(0)[0].number("error"),
            GeneralizeStudy(small_generalize()).run(0)[0].number("error"));
}

TEST(GeneralizeStudy, KnowsThatLargerSimulationsTakeMore) {
  GeneralizeConfig config = small_generalize();
  const GeneralizeStudy least(config);
  const std::vector<std::function<void(GeneralizeConfig&)>> changes = {
      [](auto& c) { c.n = {40}; }, [](auto& c) { c.d = {80}; }, [](auto& c) { c.training_sizes = {50}; }};
  for (size_t k = 0; k < changes.size(); ++k) {
    GeneralizeConfig larger = small_generalize();
    changes[k](larger);
    EXPECT_GT(GeneralizeStudy(larger).work(0), least.work(0)) << k;
    EXPECT_GT(GeneralizeStudy(larger).memory_bytes(0), least.memory_bytes(0)) << k;
  }
  config.plan.features.bytes = 0;
  EXPECT_LT(GeneralizeStudy(config).memory_bytes(0), least.memory_bytes(0)) << "features are not kept";
}

TEST(GeneralizeStudy, RefusesWhatMakesNoSense) {
  const std::vector<std::pair<const char*, std::function<void(GeneralizeConfig&)>>> changes = {
      {"source of data", [](auto& c) { c.data = nullptr; }},
      {"n must be at least 1; got 0", [](auto& c) { c.n = {0}; }},
      {"d must be at least 1; got 0", [](auto& c) { c.d = {0}; }},
      {"training size must be at least 1; got 0",
       [](auto& c) {
         c.training_sizes = {5, 0};
       }},
      {"number of trials must be at least 1; got -1", [](auto& c) { c.trials = -1; }},
      {"radius must be a number not below 0; got -0.5", [](auto& c) { c.radius = -0.5; }},
      {"got inf", [](auto& c) { c.radius = HUGE_VAL; }},
      {"penalty must not be below 0; got -1",
       [](auto& c) {
         c.plan.penalties = {0, -1};
       }},
      {"token 4 is out of range; with n = 4 there are tokens 0 to 3", [](auto& c) { c.plan.token = 4; }},
      {"depth", [](auto& c) { c.map.set("depth", 2); }},
      {"unknown map", [](auto& c) { c.maps = {"ref"}; }}};
  for (const auto& [reason, change] : changes) {
    GeneralizeConfig config = small_generalize();
    change(config);
    try {
      const GeneralizeStudy study(config);
      ADD_FAILURE() << "accepted: " << reason;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(reason));
    }
  }
}

TEST(GeneralizeStudy, RefusesADeviceThatIsNotThereOrWouldNotDo) {
  const auto why = [](const GeneralizeConfig& config) -> std::string {
    try {
      const GeneralizeStudy study(config);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  };
  GeneralizeConfig config = small_generalize();
  config.device = {DeviceKind::kCuda, Precision::kBf16};
  EXPECT_THAT(why(config), HasSubstr("bf16 is for models"));
  config.device = {DeviceKind::kCuda, Precision::kF32};
  if (!cuda_is_built()) {
    EXPECT_THAT(why(config), HasSubstr("--device cpu"));
  }
}

}  // namespace
}  // namespace wordsway
