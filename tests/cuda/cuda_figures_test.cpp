// Figures on the CUDA device, as `reproduce --device cuda` makes them: where they are computed, and what follows.
#include <gmock/gmock.h>

#include "cuda/on_the_device.h"
#include "figures/builtin_setting.h"
#include "support/run_program.h"
#include "support/temporary_folder.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/io/json.h"
#include "wordsway/run/run_study.h"

namespace wordsway::test {
namespace {

using testing::HasSubstr;

constexpr Device kCuda = {DeviceKind::kCuda, Precision::kF32};

std::shared_ptr<const Study> study_of(const std::string& figure, const FigureSetting& setting) {
  return figure_registry().get(figure).study(setting).study;
}

using FiguresOnTheDevice = OnTheDevice;

TEST_F(FiguresOnTheDevice, SayWhereTheyAreComputedAndWhatStaysOnTheProcessorSaysNothing) {
  const FigureSetting setting = builtin_setting(Profile::kQuick, kCuda);
  for (const std::string& name : figure_names()) {
    SCOPED_TRACE(name);
    const auto study = study_of(name, setting);
    for (Index task = 0; task < study->size(); ++task) {
      const Record key = study->key(task);
      const bool stays = name == "trained-normalisers" ||
                         (name == "one-word-task" && key.text("part") != "encoder" && key.text("part") != "decoder");
      EXPECT_EQ(key.find("device") == nullptr, stays) << to_json(key);
    }
  }
  const auto deep = study_of("deep-random-features", builtin_setting(Profile::kFull, kCuda));
  EXPECT_EQ(deep->key(0).find("device"), nullptr) << "its weights do not fit";
}

TEST_F(FiguresOnTheDevice, HaveMapsInDoubleWhateverThePrecisionOfModels) {
  const auto study = study_of("positions", builtin_setting(Profile::kQuick, {DeviceKind::kCuda, Precision::kBf16}));
  for (Index task = 0; task < study->size(); ++task) {
    const Record key = study->key(task);
    EXPECT_EQ(key.text("precision"), key.text("weights") == "random" ? "f32" : "bf16");
  }
}

TEST_F(FiguresOnTheDevice, EndWithTheVerdictsOfTheProcessor) {
  const FigureSetting here = builtin_setting(Profile::kQuick), there = builtin_setting(Profile::kQuick, kCuda);
  for (const char* name : {"raf", "random-features", "deep-random-features", "generalization", "model-length", "layers",
                           "answers", "one-word-task"}) {
    SCOPED_TRACE(name);
    const FigureEntry& figure = figure_registry().get(name);
    const StudyResult expected = run_study(*study_of(name, here)), found = run_study(*study_of(name, there));
    EXPECT_EQ(found.failed, 0);
    ASSERT_EQ(found.rows.size(), expected.rows.size());
    const auto verdicts = figure.verdicts(found.rows), of_processor = figure.verdicts(expected.rows);
    ASSERT_EQ(verdicts.size(), of_processor.size());
    for (size_t k = 0; k < verdicts.size(); ++k) {
      EXPECT_EQ(verdicts[k].statement, of_processor[k].statement);
      EXPECT_EQ(verdicts[k].holds, of_processor[k].holds) << verdicts[k].statement;
    }
  }
}

TEST_F(FiguresOnTheDevice, HaveJournalsThatGoOnThereAndNotElsewhere) {
  const FigureSetting here = builtin_setting(Profile::kQuick), there = builtin_setting(Profile::kQuick, kCuda);
  for (const char* name : {"temperature", "layers"}) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    RunOptions options;
    options.journal = folder.path("figure.jsonl");
    run_study(*study_of(name, there), options);
    EXPECT_EQ(run_study(*study_of(name, there), options).resumed, study_of(name, there)->size());
    EXPECT_THROW(run_study(*study_of(name, here), options), UsageError);
  }
}

TEST_F(FiguresOnTheDevice, AreEstimatedByTheProgram) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_wordsway({"reproduce", "raf", "generalization", "layers", "--profile", "quick", "-o",
                    folder.path("out").string(), "--device", "cuda", "--precision", "tf32", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("generalization"));
}

TEST_F(FiguresOnTheDevice, OfAModelThatTheDeviceDoesNotSupportAreComputedOnTheCpu) {
  const TemporaryFolder folder;
  const ProgramResult result = run_wordsway({"reproduce", "raf", "-m", "builtin-relu-seed-1", "--profile", "quick",
                                             "-o", folder.path("out").string(), "--device", "cuda", "--dry-run"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("stays on the CPU"));
}

}  // namespace
}  // namespace wordsway::test
