// Feature maps φ as the rest of wordsway sees them: three small interfaces, from coarse to fine.
//
//   FeatureMap     φ with its weights                          φ(X)
//   MappedSample   φ at one X; work shared by all tokens       φ(X), ‖φ(X)‖
//   TokenView      φ near X when token i moves                 Δ ↦ ‖φ(X^i(Δ)) − φ(X)‖²  and  Δ ↦ ⟨φ(X^i(Δ)), ψ⟩
//
// A view of M tokens that move together is a TokenView too: its Δ is [M·d], the moves of the tokens one after the
// other, each in a ball of its own, and its functions have M blocks (core/lifted_function.h).
//
// X: [n, d] tokens are rows; X^i(Δ) is X with Δ added to row i. Features are a matrix [rows, columns] of the map's own
// shape ([n, d] for attention, [k, 1] for random features); norms and inner products are those of its entries.
// Maps, samples and views may be used from several threads at once, the functions of a view as well unless the view
// says otherwise: weights that are decided only when they are looked at (random/deferred_matrix.h) must be looked at in
// a fixed order. Everything owns what it uses: a sample, a view or a function stays good when the map, the sample or
// the view it came from is gone, so map.at(X)->token(i)->change() may be kept alone.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "wordsway/core/lifted_function.h"
#include "wordsway/core/lockstep.h"
#include "wordsway/core/matrix.h"

namespace wordsway {

/// An upper bound of sup ‖φ(X^i(Δ)) − φ(X)‖ over ‖Δ‖ ≤ ρ (over moves of each token by at most ρ), and the probability
/// (over the weights) that it fails: 0 for a bound that always holds.
struct UpperBound {
  double change;
  double failure_probability;
};

/// How to search a view for its supremum unless the user says otherwise.
struct SearchAdvice {
  int starts = 4;
  double tolerance = 1e-7;
  /// Whether to try many starts briefly and run only the best to the end: for rugged functions.
  bool in_stages = false;
};

/// g(v) of a few numbers v; writes ∇g to `gradient` unless that is empty.
using OuterFunction = std::function<double(std::span<const double> values, std::span<double> gradient)>;

/// g(v) = v of a single number.
OuterFunction identity_outer();

class TokenView {
 public:
  virtual ~TokenView() = default;

  /// Δ ↦ ‖φ(X^i(Δ)) − φ(X)‖².
  virtual std::unique_ptr<LiftedFunction> change() const = 0;

  /// Δ ↦ ⟨φ(X^i(Δ)), ψ⟩ for ψ of the features' shape; throws DataError on another. The result keeps its own ψ.
  virtual std::unique_ptr<LiftedFunction> inner(const Matrix& psi) const = 0;

  /// Δ ↦ g(⟨φ(X^i(Δ)), ψ_1⟩, ⟨φ(X^i(Δ)), ψ_2⟩, …). As given here it is composed of inner(); a map whose inner products
  /// can share the work of φ overrides it. Throws DataError as inner() does, UsageError without a ψ or without g.
  virtual std::unique_ptr<LiftedFunction> outer(std::vector<Matrix> psis, OuterFunction g) const;

  /// Directions worth starting an ascent of `change` from, best first; need not be normalised, may be empty.
  virtual std::vector<Vector> starts() const { return {}; }

  /// At most this many directions towards real words, from which searches in stages start without normalising them.
  /// Empty if words are not known.
  virtual std::vector<Vector> word_directions(int /*most*/) const { return {}; }

  /// Returns nothing if no bound is known.
  virtual std::optional<UpperBound> upper_bound(double /*radius*/) const { return std::nullopt; }

  /// Whether functions of this view may be evaluated from several threads at once. If not, the caller decides the order
  /// and keeps it the same for any number of threads.
  virtual bool concurrent() const { return true; }

  virtual SearchAdvice advice() const { return {}; }
};

/// The largest entry of a sample, and the longest move: 1e100·√d for any d that fits in memory. Squares of either, and
/// the scores and kernels made of them, are then far from the largest double (1e308).
inline constexpr double kLargestEntry = 1e100, kLongestMove = 1e110;

/// The shortest move, as a share of ‖X‖: in double, differences of features carry errors of about 1e-16 of them, so a
/// change that this causes has four digits.
inline constexpr double kShortestMove = 1e-12;

/// ‖φ(X)‖ that is noise, as a share of the terms it is a sum of: their rounding is about 1e-16 of them, a few times
/// more in long sums, so above this six digits are right.
inline constexpr double kNoiseShare = 1e-9;

/// The lengths of Δ that the arithmetic of a map can work with, 0 aside: shorter ones are lost in the rounding of X,
/// longer ones overflow.
struct MoveRange {
  double shortest;
  double longest;
};

class MappedSample {
 public:
  virtual ~MappedSample() = default;

  virtual const Matrix& X() const = 0;         // [n, d] as given
  virtual const Matrix& features() const = 0;  // φ(X)
  virtual std::unique_ptr<TokenView> token(Index i) const = 0;

  /// The view of tokens that move together; of one token what token() gives. Throws UsageError as check_tokens does,
  /// and, as given here, for several tokens: a map may do without.
  virtual std::unique_ptr<TokenView> tokens(std::span<const Index> moved) const;

  /// Whether functions of different tokens may be evaluated from several threads at once.
  virtual bool concurrent() const { return true; }

  /// How many moves, of any tokens, to evaluate at once (on a device); 0 if one at a time is as good. Searches of this
  /// many tokens then run in lockstep (core/lockstep.h).
  virtual Index moves_at_once() const { return 0; }

  /// The groups in which this many searches run best there: while the moves of one group are evaluated, another
  /// searches.
  virtual LockstepGroups search_groups(Index /*searches*/) const { return {}; }

  double feature_norm() const { return features().norm(); }

  /// ‖φ(X)‖ at or below this is what rounding left of larger terms that cancelled. 0 where nothing can cancel.
  virtual double noise_norm() const { return 0; }

  virtual MoveRange move_range() const { return {0, kLongestMove}; }
};

/// Throws DataError when φ(X) is not to be divided by: not finite, 0 (or so small that its square is), or rounding
/// noise.
void check_features(const MappedSample& sample);

/// Throws UsageError when ρ is negative or not finite, or neither 0 nor within the sample's move_range().
void check_radius(const MappedSample& sample, double radius);

/// Throws UsageError unless there is a token to move, all are among 0 … n − 1 and none comes twice.
void check_tokens(std::span<const Index> moved, Index n);

/// Throws DataError when an entry is not finite or beyond ±limit. `what` names the entries: "the sample".
void check_entries(ConstMatrixRef X, const char* what, double limit = kLargestEntry);

/// The shape of X that weights expect; nothing where any number of tokens will do.
struct SampleShape {
  std::optional<Index> n;
  Index d;
};

/// Throws DataError when X has another shape or no tokens, or as check_entries does.
void check_sample(const Matrix& X, SampleShape expected);

/// Throws UsageError without a ψ or without g.
void check_outer(const std::vector<Matrix>& psis, const OuterFunction& g);

/// The features of many samples: [samples, rows·columns].
struct FeatureTable {
  Index samples, rows, columns;
};

/// Throws UsageError unless rows [first, first + count) exist, DataError unless out is [samples, count·columns].
void check_rows(FeatureTable features, Index first, Index count, const MatrixRef& out);

class FeatureMap {
 public:
  virtual ~FeatureMap() = default;

  /// Work for all tokens of X. Throws DataError when X does not fit the weights, is not finite or too large
  /// (check_entries). Keeps a copy of X.
  virtual std::unique_ptr<MappedSample> at(const Matrix& X) const = 0;

  /// Computes rows [first, first + count) of φ(X_s) for many samples: samples [N, n·d], each flattened row by row; out
  /// [N, count·columns] in the same way. Runs in parallel over samples. Throws UsageError if there are no such rows,
  /// DataError if samples or out have another shape. This default computes the whole of every φ(X_s).
  virtual void feature_rows(ConstMatrixRef samples, Index n, Index first, Index count, MatrixRef out) const;

  /// φ(X) written down from its definition, the oracle of the tests: as slow as it likes.
  virtual Matrix features_reference(const Matrix& X) const = 0;

  /// The weights as one matrix (W or V), for --weights-out.
  virtual Matrix weights() const = 0;

  /// Bytes the weights hold now, where only a measurement tells (deferred matrices).
  virtual std::optional<double> memory_bytes() const { return std::nullopt; }
};

}  // namespace wordsway
