// Where labelled samples come from: N for training and a new one, for each trial of a learning study. A source gives
// the same answer whoever asks and when; the training set of a larger N begins with that of a smaller one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/record.h"

namespace wordsway {

struct LabelledSamples {
  Matrix training;  // [N, n·d], a sample a row, flattened row by row
  Vector labels;    // [N], ±1
  Matrix X;         // [n, d] the new sample
  double label = 1;
};

class LabelledSource {
 public:
  virtual ~LabelledSource() = default;

  /// As given on the command line and written to results, e.g. "spiked:0.3 halfspace".
  virtual std::string name() const = 0;

  /// What its samples depend on, by content, as DataSource::content.
  virtual Record content() const = 0;

  /// Throws DataError when there are no such samples.
  virtual LabelledSamples draw(Index n, Index d, Index training_size, std::uint64_t trial) const = 0;

  /// The source's own sizes, where it has them.
  virtual std::optional<Index> own_n() const { return std::nullopt; }
  virtual std::optional<Index> own_d() const { return std::nullopt; }
  virtual std::optional<Index> own_training_size() const { return std::nullopt; }
};

/// Made-up samples (data/synthetic_data.h), what they share drawn once a trial, labelled by `rule`:
///   halfspace   y = sign⟨X, w⟩ with w Gaussian, orthogonal in every row to a direction μ that all samples lean to, so
///               that labels are balanced
///   coin        y is a fair coin
/// Throws UsageError on anything else.
std::shared_ptr<const LabelledSource> synthetic_labelled_source(const std::string& specification,
                                                                const std::string& rule, std::uint64_t seed);

/// An array of samples in C order with its labels.
struct LabelledArray {
  std::string name;          // for messages
  std::vector<Index> shape;  // [samples, n, d]
  std::vector<double> values;
  std::vector<double> labels;  // [samples], each 1 or -1
  bool normalise = true;       // scale rows to √d
};

/// Every trial draws N + 1 different samples from the pool; smaller n or d take the first rows and coordinates.
/// Throws DataError when the array is not what it should be.
std::shared_ptr<const LabelledSource> pool_source(LabelledArray pool, std::uint64_t seed);

/// All of `training`, and the one sample of `fresh`, in every trial.
std::shared_ptr<const LabelledSource> fixed_source(LabelledArray training, LabelledArray fresh);

}  // namespace wordsway
