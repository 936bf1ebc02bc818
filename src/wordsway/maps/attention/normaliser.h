// Turns a row of attention scores into weights: P_m = f(s_m) / Σ_m' f(s_m') with f ≥ 0.
//
// The attention family shares everything but f (attention_map.h). A row's *mass* stands for Σ f: the sum itself, or
// its logarithm for the softmax, which never leaves the log domain. A row without mass has weights 0.
// A normaliser has no state but its parameters and may be used from several threads.
#pragma once

#include <optional>
#include <utility>

#include "wordsway/core/matrix.h"
#include "wordsway/maps/attention/normaliser_table.h"

namespace wordsway {

using ArrayRef = Eigen::Ref<Eigen::ArrayXd>;
using ConstArrayRef = Eigen::Ref<const Eigen::ArrayXd>;

class Normaliser {
 public:
  virtual ~Normaliser() = default;

  /// Its entry in the table and its β, for devices, which have f of the table's entries themselves; nothing for one
  /// that is not in the table.
  virtual std::optional<NormaliserSpec> spec() const { return {}; }

  /// Handles one whole row: weights[m] = P_m. Returns the row's mass. With `slopes`, slopes[m] = f'(s_m)/Σ f, so that
  /// dP_m = slopes_m ds_m − P_m Σ_m' slopes_m' ds_m'.
  virtual double row(ConstArrayRef scores, ArrayRef weights, ArrayRef* slopes) const = 0;

  /// Handles one score in each of many rows: weights[j] = f(s_j)/(Σ f of the others + f(s_j)), the others given by
  /// their mass. With `slopes`, the derivative of weights[j] by s_j. A score against no mass has weight 1 if f > 0,
  /// else 0.
  virtual void against(ConstArrayRef scores, ConstArrayRef masses, ArrayRef weights, ArrayRef* slopes) const = 0;

  /// The weight of a score in a row of this mass, its own f included.
  virtual double weight_in(double mass, double score) const = 0;

  /// The mass of a row without one of its scores, whose weight in it is `weight`. Cancels when `weight` is near 1.
  virtual double mass_without(double mass, double score, double weight) const = 0;

  /// Smallest and largest weight of a score anywhere in [low, high] against `mass`.
  virtual std::pair<double, double> weight_range(double low, double high, double mass) const = 0;

  // For several moving scores of a row: `row` handles them by themselves, and the following functions join them with
  // the rest of the row.

  /// The mass of two parts of a row together.
  virtual double joined(double one, double other) const = 0;

  /// The share that a part of a row has in itself and the rest; 0 for a part without mass.
  virtual double share(double part, double rest) const = 0;

  /// Smallest and largest mass of a score anywhere in [low, high].
  virtual std::pair<double, double> mass_range(double low, double high) const = 0;
};

/// A normaliser given by f alone, with plain sums: all but the softmax.
class WeightNormaliser : public Normaliser {
 public:
  /// Computes f and, unless `derivatives` is null, its derivative, entry by entry.
  virtual void apply(ConstArrayRef scores, ArrayRef values, ArrayRef* derivatives) const = 0;

  /// Smallest and largest f on [low, high]; the end points serve where f is monotone.
  virtual std::pair<double, double> range(double low, double high) const;

  double row(ConstArrayRef scores, ArrayRef weights, ArrayRef* slopes) const final;
  void against(ConstArrayRef scores, ConstArrayRef masses, ArrayRef weights, ArrayRef* slopes) const final;
  double weight_in(double mass, double score) const final;
  double mass_without(double mass, double score, double weight) const final;
  std::pair<double, double> weight_range(double low, double high, double mass) const final;
  double joined(double one, double other) const final { return one + other; }
  double share(double part, double rest) const final;
  std::pair<double, double> mass_range(double low, double high) const final { return range(low, high); }

 protected:
  double apply_one(double score) const;
};

}  // namespace wordsway
