// Where samples come from: synthetic laws, or files. A source answers "sample number t of size n × d", and its answer
// does not depend on the caller or the time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/core/record.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// Which words of the data stand in for a token: to be raised when the same settings and seed give others.
inline constexpr int kReplacementWordsMethod = 1;

/// If there are more different words than this, the most frequent ones are tried, or those that a seed chooses.
inline constexpr Index kMostReplacementWords = 4096;

/// A token of a sample.
struct TokenPlace {
  Index n, d;
  std::uint64_t trial;
  Index token;
};

/// Words of the data that could stand in the place of a token.
struct ReplacementWords {
  Matrix rows;               // [m, d] different ones, as rows of X at that place
  std::vector<Index> drawn;  // numbers of rows, drawn at random as words come in the data
};

class DataSource {
 public:
  virtual ~DataSource() = default;

  /// As given on the command line and written to results, e.g. "spiked:0.3".
  virtual std::string name() const = 0;

  /// What its samples depend on, by content, whatever it is called: digests (core/digest.h) under plural names, and
  /// settings.
  virtual Record content() const = 0;

  /// X: [n, d] for a trial. Throws DataError when there is no such sample.
  virtual Matrix sample(Index n, Index d, std::uint64_t trial) const = 0;

  /// Other words of the data for this token of sample(n, d, trial), `count` of them drawn from the stream: other tokens
  /// of the texts, other rows of the array, or new ones of the same law. Throws DataError when there is no other,
  /// UsageError where a source has no such words, as here.
  virtual ReplacementWords replacement_words(const TokenPlace& place, Index count, const Stream& stream) const;

  /// How many rows that gives at most.
  virtual Index replacement_count(Index count) const { return count; }

  /// The source's own sizes, where it has them.
  virtual std::optional<Index> own_n() const { return std::nullopt; }
  virtual std::optional<Index> own_d() const { return std::nullopt; }
  /// How many different samples there are; nothing when a new one is drawn each time.
  virtual std::optional<Index> count() const { return std::nullopt; }
};

/// Made-up samples of the law that the specification names, as "sphere" or "spiked:0.3" (data/synthetic_data.h). Throws
/// UsageError on anything else.
std::shared_ptr<const DataSource> synthetic_source(const std::string& specification, std::uint64_t seed);

/// `values` in C order, shape [n, d] or [samples, n, d]; a smaller n or d takes the first rows and coordinates. Rows
/// are scaled to √d when `normalise` is set. Trial t gets sample t modulo their number.
std::shared_ptr<const DataSource> array_source(std::string name, std::vector<Index> shape, std::vector<double> values,
                                               bool normalise);

// Made-up samples. X: [n, d], rows of norm √d.

/// Tokens uniform on the sphere of radius √d.
Matrix sphere_sample(const Stream& stream, Index n, Index d);

/// Tokens √d·normalise(√A·μ + √(1−A)·u): u uniform on the unit sphere, one unit vector μ for all tokens. Real
/// embeddings share such a direction; A = 0 is sphere_sample. μ comes from `shared`, so samples may have it in common.
/// Throws UsageError unless 0 ≤ A ≤ 1.
Matrix spiked_sample(const Stream& stream, const Stream& shared, Index n, Index d, double spike);

/// How much of X lies in one direction: the largest share of ‖X‖² along one line through 0, from 1/min(n, d)
/// (orthogonal tokens) to 1 (all on one line). Throws DataError when X is 0 or not finite.
double share_of_first_direction(const Matrix& X);

/// How results and journals call it whether rows are scaled to √d.
std::string normalisation_name(bool normalise);

/// Scales every row to norm √d. Throws DataError on a zero row or one that is not finite.
void normalise_rows(Matrix& X);

}  // namespace wordsway
