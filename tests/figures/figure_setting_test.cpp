// What figures are made with: profiles, sizes that a model and its texts allow, and what follows for their studies.
#include "wordsway/figures/figure_setting.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "figures/builtin_setting.h"
#include "figures/made_up_rows.h"
#include "wordsway/core/error.h"
#include "wordsway/figures/learning_rows.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/io/json.h"

namespace wordsway::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

// The reviews cut to these lengths.
FigureSetting setting_with_texts(const std::vector<size_t>& lengths) {
  FigureSetting setting = builtin_setting(Profile::kQuick);
  std::vector<std::vector<int>> ids;
  for (const size_t length : lengths) ids.emplace_back(length, 7);
  setting.texts = std::make_shared<const EncodedTexts>("cut", setting.tokenizer, std::move(ids));
  return setting;
}

std::shared_ptr<const Study> study_of(const char* figure, Profile profile) {
  return figure_registry().get(figure).study(builtin_setting(profile)).study;
}

std::vector<double> values_of(const Study& study, const std::string& field) {
  Rows keys;
  for (Index task = 0; task < study.size(); ++task) keys.push_back(study.key(task));
  return distinct_numbers(keys, field);
}

TEST(Profiles, AreReadByNameAndPickTheirValue) {
  FigureSetting setting;
  const std::vector<std::pair<const char*, int>> expected = {{"quick", 1}, {"default", 2}, {"full", 3}};
  for (const auto& [name, value] : expected) {
    setting.profile = parse_profile(name);
    EXPECT_EQ(setting.by_profile(1, 2, 3), value) << name;
  }
  try {
    parse_profile("ful");
    FAIL() << "no such profile";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("ful"), HasSubstr("full")));
  }
}

TEST(Profiles, AskForMoreWorkOneAfterTheOther) {
  for (const std::string& name : figure_names()) {
    if (name == "attention-words" || name == "attract") continue;  // a sentence is a sentence
    std::vector<double> work;
    for (const Profile profile : {Profile::kQuick, Profile::kDefault, Profile::kFull}) {
      const auto study = study_of(name.c_str(), profile);
      double sum = 0;
      for (Index task = 0; task < study->size(); ++task) sum += study->work(task);
      work.push_back(sum);
    }
    EXPECT_LT(work[0], work[1]) << name;
    EXPECT_LE(work[1], work[2]) << name;
  }
}

TEST(ModelDimensions, DoubleUpToTheModelsOwn) {
  FigureSetting setting = builtin_setting(Profile::kDefault);
  ASSERT_EQ(setting.transformer->config().hidden_size, 256);
  EXPECT_THAT(model_dimensions(setting).values, ElementsAre(64, 128, 256));
  EXPECT_EQ(model_dimensions(setting).note, "");
  setting.transformer = Transformer::load(source_folder() / "tests/golden/models/bert");
  EXPECT_THAT(model_dimensions(setting).values, ElementsAre(8, 16, 32));
  EXPECT_THAT(model_dimensions(setting).note, HasSubstr("has 32 coordinates: d = 8, 16, 32 stand for 64, 128, 256"));
}

TEST(PossibleLengths, AreThoseOfEnoughTexts) {
  const FigureSetting setting = setting_with_texts({10, 20, 20, 40});
  EXPECT_THAT(possible_lengths(setting, {10, 20, 40}, 1).values, ElementsAre(10, 20, 40));
  EXPECT_EQ(possible_lengths(setting, {10, 20, 40}, 1).note, "");
  const Sizes of_two = possible_lengths(setting, {10, 20, 30, 40}, 2);
  EXPECT_THAT(of_two.values, ElementsAre(10, 20));
  EXPECT_EQ(of_two.note, "fewer than 2 texts have 30, 40 tokens, which are left out");
  EXPECT_THROW(possible_lengths(setting, {10}, 5), DataError);
}

TEST(PossibleLengths, LeaveOutOfTheFigureWhatTextsAreTooShortFor) {
  const FigureStudy study = figure_registry().get("model-length").study(setting_with_texts({20, 20, 20, 40}));
  EXPECT_THAT(values_of(*study.study, "n"), ElementsAre(8, 16));
  EXPECT_THAT(study.note, HasSubstr("32 tokens"));
  EXPECT_THROW(figure_registry().get("model-depth").study(setting_with_texts({10, 10, 10})), DataError);
}

TEST(FigureGrids, MeasureEveryLayerOfTheModel) {
  const FigureSetting setting = builtin_setting(Profile::kQuick);
  const auto layers = values_of(*study_of("model-depth", Profile::kQuick), "layer");
  EXPECT_EQ(static_cast<Index>(layers.size()), setting.transformer->config().layers);
  EXPECT_EQ(layers.front(), 1) << "the embedding itself is no layer";
  const auto study = study_of("model-depth", Profile::kQuick);
  for (Index task = 0; task < study->size(); ++task)
    EXPECT_EQ(study->key(task).number("layer"), study->key(task).number("depth")) << "each is measured up to itself";
}

TEST(FigureGrids, TellWidthsInUnitsOfTheInput) {
  const auto study = study_of("width", Profile::kQuick);
  std::set<double> ratios;
  for (Index task = 0; task < study->size(); ++task) {
    const Record key = study->key(task);
    EXPECT_EQ(key.number("length"), key.number("n"));
    ratios.insert(key.number("width") / (key.number("n") * key.number("d")));
  }
  EXPECT_THAT(ratios, ElementsAre(0.25, 1, 4, 16));
}

TEST(FigureGrids, CompareSoftmaxAndReluOnTheSamePoints) {
  for (const char* field : {"n", "d", "trial"})
    EXPECT_EQ(values_of(*study_of("raf", Profile::kFull), field),
              values_of(*study_of("raf-relu", Profile::kFull), field));
}

TEST(FigureGrids, MeasureEverySpikeOnDataOfItsOwn) {
  const auto study = study_of("spike-map", Profile::kQuick);
  EXPECT_EQ(study->size() % 3, 0);
  const Record config = study->config();
  EXPECT_EQ(config.text("data_1"), "spiked:0.3");
  EXPECT_EQ(config.text("spike_1"), "0.3");
  EXPECT_EQ(config.text("spike_2"), "0.6");
  EXPECT_EQ(config.text("data_2"), "spiked:0.6");
}

TEST(FigureGrids, FollowTheSeed) {
  for (const std::string& name : figure_names()) {
    FigureSetting setting = builtin_setting(Profile::kQuick);
    const Record first = figure_registry().get(name).study(setting).study->config();
    setting.seed = 2;
    const Record other = figure_registry().get(name).study(setting).study->config();
    EXPECT_EQ(other.number("seed"), 2) << name;
    EXPECT_NE(to_json(first), to_json(other)) << name;
  }
}

TEST(Learning, IsUnseenWhereRootOfErrorAndGammaAreTwo) {
  const Rows rows = joined(learnt("rf", 40, 4, 0, 0), learnt("rf", 40, 0.25, 0.5, 0));
  const auto found = unseen(rows);
  ASSERT_EQ(found.size(), 24U);
  EXPECT_DOUBLE_EQ(found[1], 2);
  EXPECT_DOUBLE_EQ(found[13], 1);
  const Interval least = least_unseen(rows);
  EXPECT_DOUBLE_EQ(least.value, std::sqrt(0.25 * 0.99) + 0.5);
  EXPECT_EQ(least.low, least.high) << "one exception is enough";
}

TEST(Learning, CountsOnlyRowsWithErrorAndGamma) {
  Rows rows = learnt("rf", 40, 4, 0, 0);
  rows[0].set("error", {});
  rows[1].set("gamma", std::nan(""));
  rows[2].set("error", "failed");
  EXPECT_EQ(unseen(rows).size(), 9U);
  EXPECT_TRUE(std::isnan(least_unseen({}).value));
}

TEST(Learning, HasAPanelForEachMap) {
  const auto panels = learning_panels(joined(learnt("raf", 40, 1, 1, 0), learnt("rf", 40, 1, 1, 0)), "penalty");
  ASSERT_EQ(panels.size(), 2U);
  EXPECT_THAT(panels[0].title, HasSubstr("raf"));
  EXPECT_THAT(panels[1].title, HasSubstr("rf"));
}

TEST(ModelStudyParts, MoveATokenByItsOwnLength) {
  const FigureSetting setting = builtin_setting(Profile::kQuick);
  const ModelStudyConfig config = model_study_config(setting, 2);
  EXPECT_EQ(config.output.layer, 2);
  EXPECT_EQ(config.search.radius.unit, RadiusUnit::kTokenNorm);
  EXPECT_EQ(config.texts.size(), setting.texts->size());
  EXPECT_THAT(values_of(ModelStudy(config), "depth"), Each(2));
}

}  // namespace
}  // namespace wordsway::test
