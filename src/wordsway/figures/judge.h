// From rows to verdicts: numbers with their 95% intervals, compared with thresholds that were fixed before.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/figures/report.h"
#include "wordsway/figures/row_selection.h"

namespace wordsway {

/// A number and its 95% interval; all NaN when there is nothing to say. With one trial only, the interval is the value.
struct Interval {
  double value, low, high;
};

/// Student's t over the trials.
Interval mean_of(const std::vector<double>& values);
/// Of y ∝ x^exponent over all rows; nothing with fewer than three different x.
Interval exponent_of(const Rows& rows, const std::string& x = "n", const std::string& y = "sensitivity");
/// The ratio of two means, each over its own trials (first-order propagation).
Interval ratio_of(const std::vector<double>& above, const std::vector<double>& below);

/// The share of hits among trials, with Wilson's interval; nothing of no trials.
Interval rate_of(Index hits, Index trials);

/// The difference of two such shares, of different trials: Newcombe's interval (Statistics in Medicine 17, 1998), made
/// of the two. Where the trials are the same ones, it is wider than it need be as long as hits go together.
Interval difference_of_rates(const Interval& left, const Interval& right);

/// The difference of two means, each over its own trials (Welch).
Interval difference_of(const std::vector<double>& left, const std::vector<double>& right);

/// What should hold and where it is said.
struct Claim {
  std::string statement, place;
};

/// The whole interval lies between the two. `what` says what the number is ("exponent"), `where` at which sizes; what
/// is not a number fails.
Verdict judge_between(const Claim& claim, const std::string& what, const Interval& found, double low, double high,
                      const std::string& where);
/// The whole interval lies above (below) a threshold.
Verdict judge_above(const Claim& claim, const std::string& what, const Interval& found, double threshold,
                    const std::string& where);
Verdict judge_below(const Claim& claim, const std::string& what, const Interval& found, double threshold,
                    const std::string& where);

/// "exponent -0.57 (-0.60 to -0.54) at d = 256".
std::string describe(const std::string& what, const Interval& found, const std::string& where);
/// "at d = 256", of rows that share it; empty when there are none.
std::string at_size(const Rows& rows, const std::string& field);

}  // namespace wordsway
