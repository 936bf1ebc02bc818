// Every figure, in every profile: its study can be made, and its tasks are told apart.
#include <cmath>
#include <set>

#include <gmock/gmock.h>

#include "figures/builtin_setting.h"
#include "support/xml_check.h"
#include "wordsway/core/error.h"
#include "wordsway/draw/svg.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

using test::builtin_setting;

TEST(FigureStudies, CanBeMadeInEveryProfileWithTasksThatDiffer) {
  for (const Profile profile : {Profile::kQuick, Profile::kDefault, Profile::kFull}) {
    const FigureSetting setting = builtin_setting(profile);
    for (const std::string& name : figure_names()) {
      const auto study = figure_registry().get(name).study(setting).study;
      ASSERT_GT(study->size(), 0) << name;
      std::set<std::string> keys;
      for (Index task = 0; task < study->size(); ++task) keys.insert(to_json(study->key(task)));
      EXPECT_EQ(static_cast<Index>(keys.size()), study->size()) << name;
      EXPECT_EQ(to_json(study->config()), to_json(figure_registry().get(name).study(setting).study->config())) << name;
    }
  }
}

// Rows as the study would give them, had it measured `value` everywhere.
std::vector<Record> rows_of(const Study& study, const Value& value) {
  std::vector<Record> rows;
  for (Index task = 0; task < study.size(); ++task)
    for (const std::int64_t layer : {0, 1}) {
      Record row = study.key(task);
      row.set("layer", layer);
      for (const char* field : {"sensitivity", "predicted", "upper_bound", "change", "error", "gamma", "alignment"})
        row.set(field, value);
      if (const double* number = std::get_if<double>(&value)) row.set("token_sensitivities", std::vector(3, *number));
      rows.push_back(std::move(row));
    }
  return rows;
}

TEST(FigureStudies, AreDrawnAndJudgedWhateverWasMeasured) {
  const FigureSetting setting = builtin_setting(Profile::kQuick);
  const auto draw = [&](const std::string& name, const std::vector<Record>& rows) {
    const FigureEntry& figure = figure_registry().get(name);
    for (const Verdict& verdict : figure.verdicts(rows)) EXPECT_FALSE(verdict.holds) << name << verdict.statement;
    for (const FigurePanel& panel : figure.panels(rows))
      EXPECT_EQ(test::what_is_wrong_with_xml(draw_svg(panel.chart(Bands::kDeviation), SvgUse::kFile).markup), "");
  };
  for (const std::string& name : figure_names()) {
    SCOPED_TRACE(name);
    EXPECT_NO_THROW(draw(name, {})) << "every trial failed";
    const auto study = figure_registry().get(name).study(setting).study;
    for (const Value& value : {Value(), Value(std::nan("")), Value(HUGE_VAL), Value("failed")}) {
      const std::vector<Record> rows = rows_of(*study, value);
      try {
        draw(name, rows);
      } catch (const DataError& error) {
        EXPECT_TRUE(name == "attention-words" || name == "attract") << "no attention cannot be drawn: " << error.what();
      }
    }
  }
}

TEST(FigureStudies, SayWhenTheModelIsSmallerThanThePaper) {
  const FigureStudy full = figure_registry().get("raf").study(builtin_setting(Profile::kFull));
  EXPECT_THAT(full.note, testing::HasSubstr("d = 64, 128, 256 stand for 192, 384, 768"));
  EXPECT_EQ(figure_registry().get("raf").study(builtin_setting(Profile::kDefault)).note, "");
}

TEST(FigureStudies, NeedLabelsToLearn) {
  FigureSetting setting = builtin_setting(Profile::kQuick);
  setting.labelled = nullptr;
  EXPECT_THROW(figure_registry().get("generalization").study(setting), UsageError);
  EXPECT_NO_THROW(figure_registry().get("raf").study(setting));
}

TEST(FigureStudies, RefuseAModelThatCannotReadAsFarAsTheirToken) {
  FigureSetting setting = builtin_setting(Profile::kQuick);
  setting.transformer = Transformer::load(test::source_folder() / "tests/golden/models/bert");
  ASSERT_LT(setting.transformer->config().most_tokens(), 42);
  EXPECT_THROW(figure_registry().get("layers").study(setting), DataError);
}

TEST(FigureStudies, AreLeftOutWhereTheirModelsAreMissingAndNowhereElse) {
  FigureSetting setting;
  for (const std::string& name : figure_names()) EXPECT_EQ(why_left_out(name, setting), "") << name;
  setting.normalisers_missing = "they are elsewhere";
  for (const std::string& name : figure_names())
    EXPECT_EQ(why_left_out(name, setting),
              name == "trained-normalisers" ? "the figure trained-normalisers is left out: they are elsewhere" : "")
        << name;
}

TEST(FigureStudies, ComeInTheOrderOfThePaper) {
  const auto names = figure_names();
  EXPECT_EQ(names.front(), "attention-words");
  const auto place = [&](const char* name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
  EXPECT_LT(place("random-features"), place("raf"));
  EXPECT_LT(place("raf"), place("generalization"));
  EXPECT_LT(place("penalty"), place("normalisers"));
}

}  // namespace
}  // namespace wordsway
