// The samples of maps and their sizes: reviews, synthetic samples, arrays, or the embedding output of a model for
// texts; with labels or without.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/ask/choices/model_input.h"
#include "wordsway/ask/choices/text_input.h"
#include "wordsway/ask/context.h"
#include "wordsway/ask/fields.h"
#include "wordsway/data/data_source.h"
#include "wordsway/data/labelled_source.h"

namespace wordsway {

struct SampleChoice {
  std::vector<Index> n, d;
  std::string data;
  ArrayChoice x;
  bool no_normalise = false;

  static void describe(Fields<SampleChoice>& fields);
};

struct ChosenSamples {
  std::shared_ptr<const DataSource> source;
  std::vector<Index> n, d;
  std::string remark;  // what was chosen by default; to be told once everything else has been checked
};

/// Reads the array, or the model and its texts. Throws UsageError on choices that contradict each other.
ChosenSamples choose_samples(const SampleChoice& choice, const ModelChoice& model, const TextInput& texts,
                             std::uint64_t seed, Context& context);

struct LabelledChoice {
  std::vector<Index> n, d, training_sizes;
  std::string data, label_rule;
  ArrayChoice pool, labels;
  ArrayChoice x_train, y_train, x;
  std::optional<double> y;
  bool no_normalise = false;

  static void describe(Fields<LabelledChoice>& fields);

  bool is_explicit() const { return !x_train.empty() || !y_train.empty() || !x.empty() || y.has_value(); }
  bool has_pool() const { return !pool.empty() || !labels.empty(); }
};

struct ChosenLabelled {
  std::shared_ptr<const LabelledSource> source;
  std::vector<Index> n, d, training_sizes;
  std::string remark;  // as in ChosenSamples
};

/// Reads the arrays, or the model and its texts. Throws UsageError on choices that contradict or lack one another.
ChosenLabelled choose_labelled(const LabelledChoice& choice, const ModelChoice& model, const TextInput& texts,
                               std::uint64_t seed, Context& context);

/// The array, read from its file unless it was given.
NpyArray read_array(const ArrayChoice& choice);
Matrix read_matrix(const ArrayChoice& choice, const std::string& name);

}  // namespace wordsway
