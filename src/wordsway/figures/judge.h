// From rows to verdicts: numbers with their 95% intervals, compared with thresholds that were fixed before.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/figures/report.h"
#include "wordsway/figures/row_selection.h"

namespace wordsway {

/// A number and its 95% interval; all NaN if there is nothing to say. With a single trial, the interval is the value.
struct Interval {
  double value, low, high;
};

/// The mean with Student's t over the trials.
Interval mean_of(const std::vector<double>& values);
/// The exponent of y ∝ x^exponent over all rows; nothing with fewer than three different x.
Interval exponent_of(const Rows& rows, const std::string& x = "n", const std::string& y = "sensitivity");
/// The ratio of two means, each over its own trials (first-order propagation).
Interval ratio_of(const std::vector<double>& above, const std::vector<double>& below);

/// The share of hits among trials, with Wilson's interval; nothing without trials.
Interval rate_of(Index hits, Index trials);

/// The difference of two such shares over different trials, with Newcombe's interval (Statistics in Medicine 17, 1998).
/// For the same trials and positively correlated hits, it is wider than necessary.
Interval difference_of_rates(const Interval& left, const Interval& right);

/// The difference of two means, each over its own trials (Welch).
Interval difference_of(const std::vector<double>& left, const std::vector<double>& right);

/// What should hold and where it is said.
struct Claim {
  std::string statement, place;
};

/// Holds if the whole interval lies between the two. `what` names the number ("exponent"), `where` the sizes. NaN does
/// not hold.
Verdict judge_between(const Claim& claim, const std::string& what, const Interval& found, double low, double high,
                      const std::string& where);
/// Holds if the whole interval lies above (below) a threshold.
Verdict judge_above(const Claim& claim, const std::string& what, const Interval& found, double threshold,
                    const std::string& where);
Verdict judge_below(const Claim& claim, const std::string& what, const Interval& found, double threshold,
                    const std::string& where);

/// A control: `rule` was judged on data in which there is nothing to find. Holds if the rule fails, and something was
/// found at all.
Verdict judge_control(const Claim& claim, const Verdict& rule, const Interval& found);

/// "exponent -0.57 (-0.60 to -0.54) at d = 256".
std::string describe(const std::string& what, const Interval& found, const std::string& where);
/// "at d = 256", for rows that share it; empty if there are none.
std::string at_size(const Rows& rows, const std::string& field);

}  // namespace wordsway
