// The inputs of figures: a model, texts with or without labels, and the amount of work.
#pragma once

#include <cstdint>
#include <string>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/search_choice.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/figures/figure_setting.h"

namespace wordsway::app {

struct FigureInput {
  std::string profile = "default";
  ModelInput model;
  TextInput texts;
  SeedChoice seed;

  static void describe(Fields<FigureInput>& fields);
};

/// Says how to read the built-in models that figures ask for, and which of them are missing. Reads none. The decoder
/// goes to the device of the setting.
void add_builtin_models(FigureSetting& setting);

/// Loads the model and reads the texts; without any, those that come with wordsway. A model whose attention the GPU
/// does not support stays on the CPU. Throws UsageError on an unknown profile, and where the device does not exist.
FigureSetting make_figure_setting(const FigureInput& input, Context& context);

}  // namespace wordsway::app
