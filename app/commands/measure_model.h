// The part of `wordsway measure` in which a model itself is the map.
#pragma once

#include <optional>
#include <string>

#include "options/common.h"
#include "options/data.h"
#include "options/model.h"
#include "options/search.h"
#include "options/study.h"

namespace wordsway::app {

struct ModelMeasureOptions {
  const CommonOptions& common;
  const DataOptions& data;
  const SearchOptions& search;
  const StudyOptions& study;
  const RadiusOptions& radius;
  const PromptOptions& prompt;
  const OutputOptions& output;
  const Device& device;
  std::optional<Index> token;
  Index typical;
  std::string delta_out;
};

/// Measures the model on the texts given and prints the rows.
void measure_model(const ModelMeasureOptions& options);

}  // namespace wordsway::app
