// Options that say where samples come from, with labels or without, and how large they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "options/common.h"
#include "options/texts.h"
#include "wordsway/core/matrix.h"
#include "wordsway/data/data_source.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/data/named_data.h"

namespace CLI {
class App;
}

namespace wordsway::app {

// Options that say where samples come from and how large they are.

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

// Options that say where labelled samples come from: reviews, made up, drawn from a
// corpus or a pool, or all given.

struct LabelledDataOptions {
  std::string n, d, training_size;
  std::string data, label_rule;
  std::string pool, labels;
  std::string x_train, y_train, x, y;
  std::string model;  // with `texts`: the embedding output of a model
  TextOptions texts;
  bool no_normalise = false;

  bool has_corpus() const { return !texts.input.empty(); }
  bool is_explicit() const { return !x_train.empty() || !y_train.empty() || !x.empty() || !y.empty(); }
};

struct LabelledDataChoice {
  std::shared_ptr<const LabelledSource> source;
  std::vector<Index> n, d, training_sizes;
  std::string remark;  // what was chosen by default, to be said
};

/// Adds --n, --d, --train-size, --data, --label-rule, --pool, --labels, --x-train, --y-train, --x, --y, --no-normalise,
/// -m, -i, --column and --label-column.
void add_labelled_data_options(CLI::App& command, LabelledDataOptions& options);

/// Throws UsageError on options that contradict each other or lack one another; reads the files.
LabelledDataChoice choose_labelled_data(const LabelledDataOptions& options, std::uint64_t seed,
                                        const CommonOptions& common = {});

}  // namespace wordsway::app
