// Rows as studies give them, made up: what a figure's statement says, exactly, with a little noise between trials.
#pragma once

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "wordsway/figures/figure_registry.h"
#include "wordsway/figures/row_selection.h"

namespace wordsway::test {

/// One percent up, none, one percent down.
inline double jitter(std::int64_t trial) {
  return 1 + 0.01 * static_cast<double>(trial % 3 - 1);
}

/// Rows of `map` over sizes, three trials each: S = value(n, d).
inline Rows measured(const std::string& map, const std::vector<double>& n, const std::vector<double>& d,
                     const std::function<double(double n, double d)>& value) {
  Rows rows;
  for (const double dimension : d)
    for (const double length : n)
      for (std::int64_t trial = 0; trial < 3; ++trial)
        rows.push_back({{"map", map},
                        {"n", static_cast<std::int64_t>(length)},
                        {"d", static_cast<std::int64_t>(dimension)},
                        {"trial", trial},
                        {"sensitivity", jitter(trial) * value(length, dimension)}});
  return rows;
}

/// The same rows with one more field.
inline Rows with(Rows rows, const std::string& field, const Value& value) {
  for (Record& row : rows) row.set(field, value);
  return rows;
}

/// The same rows with one number scaled.
inline Rows scaled(Rows rows, const std::string& field, double factor) {
  for (Record& row : rows) row.set(field, factor * row.number(field));
  return rows;
}

inline Rows joined(Rows left, const Rows& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// Rows of the study of learning: √error + γ = `unseen` for every training and objective.
inline Rows learnt(const std::string& map, double n, double error, double gamma, double alignment) {
  Rows rows;
  for (const char* training : {"fine-tune", "retrain"})
    for (const char* objective : {"align", "error"})
      for (std::int64_t trial = 0; trial < 3; ++trial)
        rows.push_back({{"map", map},
                        {"n", static_cast<std::int64_t>(n)},
                        {"trial", trial},
                        {"training", training},
                        {"objective", objective},
                        {"penalty", std::string(objective) == "error" ? Value(1.0) : Value()},
                        {"error", jitter(trial) * error},
                        {"gamma", gamma},
                        {"alignment", jitter(trial) * alignment}});
  return rows;
}

inline std::vector<bool> judged(const std::string& figure, const Rows& rows) {
  std::vector<bool> holds;
  for (const Verdict& verdict : figure_registry().get(figure).verdicts(rows)) holds.push_back(verdict.holds);
  return holds;
}

}  // namespace wordsway::test
