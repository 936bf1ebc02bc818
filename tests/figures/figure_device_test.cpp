// Where figures are computed, as far as it can be seen without a device: tests/cuda computes them there.
#include <set>

#include <gmock/gmock.h>

#include "cuda/on_the_device.h"
#include "figures/builtin_setting.h"
#include "support/processor_engine.h"
#include "wordsway/figures/figure_registry.h"
#include "wordsway/figures/study_parts.h"
#include "wordsway/io/json.h"

namespace wordsway::test {
namespace {

const std::set<std::string> kOfModelsAlone = {"attention-words", "answers",      "layers",        "attract",
                                              "model-depth",     "model-length", "one-word-task", "trained-normalisers",
                                              "opposites"};

// Models whose engine says that it is a device, and maps on the processor.
FigureSetting setting_with_engines() {
  FigureSetting setting = builtin_setting(Profile::kQuick);
  setting.transformer = load_with_engine(source_folder() / "models/builtin").transformer;
  setting.decoder = [] {
    Model model = load_model(source_folder() / "models/builtin-decoder");
    model.transformer = load_with_engine(source_folder() / "models/builtin-decoder").transformer;
    return model;
  };
  return setting;
}

TEST(FigureDevices, AreThoseOfMapsTooWhichHaveOnePrecision) {
  FigureSetting setting;
  setting.seed = 3;
  for (const Device& device : {Device(), Device{DeviceKind::kCuda, Precision::kBf16}}) {
    setting.device = device;
    const MeasureConfig measure = measure_config(setting);
    const GeneralizeConfig generalize = generalize_config(setting);
    for (const Device& found : {measure.device, generalize.device})
      EXPECT_EQ(found, (Device{device.kind, Precision::kF32}));
    EXPECT_EQ(measure.seed, 3U);
    EXPECT_EQ(generalize.seed, 3U);
  }
}

TEST(FigureDevices, AreRefusedByEveryFigureThatHasMapsWhereTheyAreNotThere) {
  if (why_not().empty()) GTEST_SKIP() << "the device is there";
  FigureSetting setting = builtin_setting(Profile::kQuick);
  setting.device.kind = DeviceKind::kCuda;
  for (const std::string& name : figure_names()) {
    SCOPED_TRACE(name);
    const auto make = [&] { figure_registry().get(name).study(setting); };
    if (kOfModelsAlone.contains(name)) {
      EXPECT_NO_THROW(make());
    } else {
      EXPECT_THROW(make(), UsageError);
    }
  }
}

TEST(FigureDevices, OfModelsAreInRowsAndInWhatAJournalIsCheckedAgainst) {
  const FigureSetting here = builtin_setting(Profile::kQuick), there = setting_with_engines();
  for (const std::string& name : kOfModelsAlone) {
    SCOPED_TRACE(name);
    const auto study = figure_registry().get(name).study(there).study;
    const bool stays = name == "trained-normalisers";
    for (Index task = 0; task < study->size(); ++task) {
      const Record key = study->key(task);
      const bool is_map = name == "one-word-task" && key.text("part") != "encoder" && key.text("part") != "decoder";
      EXPECT_EQ(key.find("device") == nullptr, stays || is_map) << to_json(key);
      EXPECT_EQ(key.find("precision") == nullptr, stays || is_map) << to_json(key);
    }
    const auto on_the_processor = figure_registry().get(name).study(here).study;
    for (Index task = 0; task < on_the_processor->size(); ++task)
      EXPECT_EQ(on_the_processor->key(task).find("device"), nullptr);
    EXPECT_EQ(to_json(study->content().fields) == to_json(on_the_processor->content().fields), stays);
  }
}

}  // namespace
}  // namespace wordsway::test
