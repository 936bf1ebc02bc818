// What figures are made with: a model, texts with or without labels, and how much work.
#pragma once

#include <cstdint>
#include <string>

#include "options/common.h"
#include "options/texts.h"
#include "wordsway/figures/figure_setting.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct FigureDataOptions {
  std::string model;
  TextOptions texts;
  std::string profile = "default";
  std::uint64_t seed = 1;
  Device device;
};

/// Adds -m, --device, --precision, -i, --column, --label-column, --profile and --seed.
void add_figure_data_options(CLI::App& command, FigureDataOptions& options);

/// Says how to read the built-in models that figures ask for, and which of them are not there. Reads none. The decoder
/// goes to the device of the setting.
void add_builtin_models(FigureSetting& setting);

/// Loads the model and reads the texts; without -i those that come with wordsway. A model with attention that no device
/// has stays on the processor. Throws UsageError on an unknown profile, and where the device is not there.
FigureSetting make_figure_setting(const FigureDataOptions& options, const CommonOptions& common);

}  // namespace wordsway::app
