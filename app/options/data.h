// Options that say where samples come from and how large they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "options/common.h"
#include "options/texts.h"
#include "wordsway/data/data_source.h"

namespace CLI {
class App;
}

namespace wordsway::app {

struct DataOptions {
  std::string n, d, data, x;
  std::string model;  // with `texts`: the embedding output of a model
  TextOptions texts;
  bool no_normalise = false;
};

struct DataChoice {
  std::shared_ptr<const DataSource> source;
  std::vector<Index> n, d;
  std::string remark;  // what was chosen by default, to be said
};

/// Adds --n, --d, --data, --x and --no-normalise.
void add_data_options(CLI::App& command, DataOptions& options);

/// Throws UsageError on options that contradict each other; reads the file of --x, or the model and its texts.
DataChoice choose_data(const DataOptions& options, std::uint64_t seed, const CommonOptions& common = {});

}  // namespace wordsway::app
