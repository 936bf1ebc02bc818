#include "wordsway/sensitivity/sensitivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "wordsway/ascent/climb_together.h"
#include "wordsway/core/error.h"
#include "wordsway/core/lockstep.h"
#include "wordsway/core/parallel.h"
#include "wordsway/core/stop.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {

namespace {

std::vector<Vector> starting_directions(const TokenView& view, Index d, int count, const Stream& stream) {
  std::vector<Vector> starts = view.starts();
  starts.resize(std::min(starts.size(), static_cast<size_t>(count)));
  while (starts.size() < static_cast<size_t>(count)) starts.push_back(gaussian_vector(stream.derive(starts.size()), d));
  return starts;
}

// Values that are not finite lose against every other.
double rank(double value) {
  return std::isfinite(value) ? value : -std::numeric_limits<double>::infinity();
}

constexpr double kBoundRounding = 1e-12;  // relative, of a bound and of the value that attains it

// A bound that overflows says nothing; one that is attained may come out a rounding below the value.
void set_upper_bound(TokenSensitivity& result, const TokenView& view, double radius, double norm) {
  const auto bound = view.upper_bound(radius);
  if (!bound || !std::isfinite(bound->change / norm)) return;
  const double ratio = bound->change / norm;
  const bool attained = ratio < result.sensitivity && ratio >= (1 - kBoundRounding) * result.sensitivity;
  result.upper_bound = attained ? result.sensitivity : ratio;
  result.upper_bound_probability = bound->failure_probability;
}

// The best of `iterations` steps Δ ← ρ·∇/‖∇‖ from a direction.
AscentResult iterate_power(const LiftedFunction& change, Vector direction, double radius, int iterations) {
  AscentResult best;
  best.delta = Vector::Zero(direction.size());
  for (int k = 0; k < iterations && direction.norm() > 0; ++k) {
    throw_if_stopped();
    Vector gradient;
    const Vector delta = direction * (radius / direction.norm());
    const double value = change(delta, &gradient);
    ++best.evaluations;
    if (!std::isfinite(value) || !gradient.allFinite()) {
      best.value = std::nan("");
      return best;
    }
    if (value > best.value || k == 0) {
      best.value = value;
      best.delta = delta;
    }
    direction = gradient;
  }
  return best;
}

// Ascents from points; none ends below its start, whatever rounding does.
std::vector<AscentResult> ascend_from_each(const LiftedFunction& f, std::span<const AscentResult> starts,
                                           const AscentOptions& options) {
  std::vector<AscentResult> found(starts.size());
  run_concurrently(static_cast<Index>(starts.size()), [&](Index s) {
    const AscentResult& start = starts[static_cast<size_t>(s)];
    AscentResult& end = found[static_cast<size_t>(s)];
    end = ascend(f, start.delta, options);
    end.evaluations += start.evaluations;
    if (end.value >= start.value || !std::isfinite(start.value)) return;
    end.value = start.value;
    end.delta = start.delta;
  });
  return found;
}

// Sorts the points, best first, and moves those near a better one to the end, because they would end where it ends.
void put_best_first(std::vector<AscentResult>& points) {
  constexpr double kSameHill = 0.9;  // cosine
  std::stable_sort(points.begin(), points.end(),
                   [](const AscentResult& a, const AscentResult& b) { return rank(a.value) > rank(b.value); });
  std::vector<Vector> chosen;
  std::stable_partition(points.begin(), points.end(), [&](const AscentResult& point) {
    const Vector direction = point.delta.normalized();
    const auto is_near = [&](const Vector& other) { return other.dot(direction) > kSameHill; };
    if (std::any_of(chosen.begin(), chosen.end(), is_near)) return false;
    chosen.push_back(direction);
    return true;
  });
}

// Climbs to the end from the best `most` points, which come first in the result.
void climb_on(const LiftedFunction& f, std::vector<AscentResult>& points, size_t most, const AscentOptions& options) {
  put_best_first(points);
  const auto climbed = ascend_from_each(f, std::span(points).first(std::min(most, points.size())), options);
  std::copy(climbed.begin(), climbed.end(), points.begin());
}

// Starting points of climb_together, and how many power iterations each of them takes first.
struct Beginnings {
  std::vector<Vector> directions;
  std::vector<int> powers;

  // Zero directions are skipped.
  void add(const Vector& direction, int power) {
    if (direction.isZero(0)) return;
    directions.push_back(direction);
    powers.push_back(power);
  }
};

// Takes `steps` steps from each starting point, evaluating all of them together, and appends the results to `points`.
void climb_from(const LiftedFunction& f, const Beginnings& from, double radius, int steps,
                std::vector<AscentResult>& points) {
  if (from.directions.empty()) return;
  Matrix directions(static_cast<Index>(from.directions.size()), f.dimension());
  for (Index k = 0; k < directions.rows(); ++k) directions.row(k) = from.directions[static_cast<size_t>(k)].transpose();
  Climbers climbers = climbers_at(f, directions, radius);
  climb_together(f, climbers, radius, from.powers, steps);
  for (Index k = 0; k < directions.rows(); ++k) {
    AscentResult point;
    point.delta = climbers.deltas.row(k).transpose();
    point.value = climbers.values[k];
    point.evaluations = 1 + from.powers[static_cast<size_t>(k)] + steps;
    points.push_back(std::move(point));
  }
}

// Deep models have rugged landscapes, and running every ascent to convergence is expensive. A search in stages starts
// from the view's own direction after power iterations (so it is never below those alone), from directions of words at
// their full length (long moves go far there), and from random ones, every other after power iterations (power
// iterations from all of them would reach the same few nearby maxima). After a few steps from each, evaluated together,
// only the best are run to convergence (docs/words.md has measurements).
std::vector<AscentResult> ascend_in_stages(const TokenView& view, const LiftedFunction& f, int count,
                                           const AscentOptions& options, const Stream& stream) {
  constexpr int kMostWords = 16, kSteps = 18;
  const size_t finalists = std::clamp<size_t>(static_cast<size_t>(count) / 4, 1, 32);
  const Index d = f.dimension();
  std::vector<Vector> directions = starting_directions(view, d, count - std::min(kMostWords, count / 2), stream);
  std::vector<AscentResult> points = {iterate_power(f, directions.front(), options.radius, kPowerIterations)};
  directions.erase(directions.begin());
  Beginnings from;
  if (count > 1)
    for (const Vector& word : view.word_directions(std::min(kMostWords, count / 2))) from.add(word, 0);
  for (const size_t of_two : {0, 1})
    for (size_t k = of_two; k < directions.size(); k += 2)
      from.add(directions[k], of_two == 0 ? kPowerIterations - 1 : 0);
  climb_from(f, from, options.radius, kSteps, points);
  climb_on(f, points, finalists, options);
  return points;
}

std::vector<AscentResult> ascend_together(const LiftedFunction& f, const std::vector<Vector>& starts,
                                          const AscentOptions& options) {
  std::vector<AscentResult> found(starts.size());
  run_concurrently(static_cast<Index>(starts.size()), [&](Index s) {
    found[static_cast<size_t>(s)] = ascend(f, starts[static_cast<size_t>(s)], options);
  });
  return found;
}

// If every new direction costs a query, the second ascent starts opposite to where the first one ended. That is near
// the other of the two maxima of an almost even function, and it is not a new direction yet.
std::vector<AscentResult> ascend_in_turn(const LiftedFunction& f, const std::vector<Vector>& starts,
                                         const AscentOptions& options) {
  std::vector<AscentResult> found;
  for (size_t s = 0; s < starts.size(); ++s)
    found.push_back(ascend(f, s == 1 ? Vector(-found[0].delta) : starts[s], options));
  return found;
}

std::vector<AscentResult> ascend_from_starts(const TokenView& view, const LiftedFunction& f, int count,
                                             const AscentOptions& options, const Stream& stream) {
  if (view.advice().in_stages) return ascend_in_stages(view, f, count, options, stream);
  const auto starts = starting_directions(view, f.dimension(), count, stream);
  return view.concurrent() ? ascend_together(f, starts, options) : ascend_in_turn(f, starts, options);
}

// Sums in order, so that the last bit does not depend on the machine's vector width.
double sum_of_squares(const Eigen::Ref<const Eigen::RowVectorXd>& row) {
  double sum = 0;
  for (const double entry : row) sum += entry * entry;
  return sum;
}

}  // namespace

RadiusUnit parse_radius_unit(const std::string& name) {
  if (name == "sqrt-d") return RadiusUnit::kSqrtD;
  if (name == "token-norm") return RadiusUnit::kTokenNorm;
  if (name == "abs") return RadiusUnit::kAbsolute;
  throw UsageError("unknown radius unit '" + name + "'; there are: sqrt-d, token-norm, abs");
}

std::string to_string(RadiusUnit unit) {
  return unit == RadiusUnit::kSqrtD ? "sqrt-d" : unit == RadiusUnit::kTokenNorm ? "token-norm" : "abs";
}

double Radius::of(const Eigen::Ref<const Eigen::RowVectorXd>& row) const {
  if (unit == RadiusUnit::kSqrtD) return value * std::sqrt(static_cast<double>(row.size()));
  if (unit == RadiusUnit::kTokenNorm) return value * std::sqrt(sum_of_squares(row));
  return value;
}

TokenSensitivity measure_token(const MappedSample& sample, Index token, const SensitivityOptions& options,
                               const Stream& stream) {
  return measure_together(sample, std::array{token}, options, stream);
}

std::vector<Index> tokens_from(Index first, Index count, Index n, bool spread) {
  if (first < 0 || first >= n)
    throw UsageError(fmt::format("token {} is out of range; with n = {} there are tokens 0 to {}", first, n, n - 1));
  if (count < 1) throw UsageError(fmt::format("at least one token must move; got {}", count));
  const Index left = n - first;
  if (count > left)
    throw UsageError(
        fmt::format("{} tokens from token {} on run past the end; with n = {} there are {}", count, first, n, left));
  std::vector<Index> tokens;
  for (Index t = 0; t < count; ++t) tokens.push_back(first + (spread ? t * left / count : t));
  return tokens;
}

namespace {

// ρ of each token.
std::vector<double> radii_of(const MappedSample& sample, std::span<const Index> moved, const Radius& radius) {
  std::vector<double> radii;
  for (const Index token : moved) {
    radii.push_back(radius.of(sample.X().row(token)));
    check_radius(sample, radii.back());
  }
  return radii;
}

}  // namespace

TokenSensitivity measure_together(const MappedSample& sample, std::span<const Index> moved,
                                  const SensitivityOptions& options, const Stream& stream) {
  throw_if_stopped();
  check_features(sample);
  const auto view = sample.tokens(moved);
  const std::vector<double> radii = radii_of(sample, moved, options.radius);
  const double radius = *std::max_element(radii.begin(), radii.end());
  const Index token = moved.front();
  const auto change = view->change();
  const int count = options.starts.value_or(view->advice().starts);
  if (count < 1) throw UsageError("the number of starts must be at least 1");
  const Stream draws = stream.derive(static_cast<std::uint64_t>(token));
  const AscentOptions ascent{radius, options.max_iterations, options.tolerance.value_or(view->advice().tolerance),
                             radii};
  const auto found = ascend_from_starts(*view, *change, count, ascent, draws);

  const auto by_value = [](const AscentResult& a, const AscentResult& b) { return rank(a.value) < rank(b.value); };
  const auto [worst, best] = std::minmax_element(found.begin(), found.end(), by_value);
  if (!std::isfinite(best->value))
    throw DataError(
        fmt::format("the change of the features when token {} moves is not finite or too large for a double; take a "
                    "radius smaller than {:.4g}",
                    token, radius));
  // A sum of squares that was rearranged may come out a rounding below 0, or above it where nothing moved.
  const double norm = sample.feature_norm();
  const double highest = radius > 0 ? std::sqrt(std::max(0.0, best->value)) : 0;
  const bool all_finite = std::isfinite(worst->value);
  const double lowest = all_finite ? std::sqrt(std::max(0.0, worst->value)) : std::nan("");
  TokenSensitivity result;
  result.token = token;
  result.sensitivity = highest / norm;
  result.delta = best->delta;
  result.moved = static_cast<Index>(moved.size());
  result.start_spread = highest > 0 ? (highest - lowest) / highest : 0;
  result.starts = count;
  for (const AscentResult& ascended : found) result.evaluations += ascended.evaluations;
  result.converged = best->converged && all_finite;
  set_upper_bound(result, *view, radius, norm);
  return result;
}

void for_each_search(const MappedSample& sample, Index count, const std::function<void(Index)>& search) {
  if (sample.moves_at_once() > 0)
    return lockstep_for(count, sample.moves_at_once(), search, sample.search_groups(count));
  if (sample.concurrent()) return parallel_for(count, search);
  for (Index k = 0; k < count; ++k) search(k);
}

SampleSensitivity measure_tokens(const MappedSample& sample, const SensitivityOptions& options, const Stream& stream,
                                 const Progress& progress, const TokenQuestion& question) {
  std::vector<Index> all(static_cast<size_t>(sample.X().rows()));
  std::iota(all.begin(), all.end(), Index{0});
  return measure_tokens(sample, all, options, stream, progress, question);
}

SampleSensitivity measure_tokens(const MappedSample& sample, std::span<const Index> chosen,
                                 const SensitivityOptions& options, const Stream& stream, const Progress& progress,
                                 const TokenQuestion& question) {
  if (chosen.empty()) throw UsageError("there is no token to measure");
  std::vector<TokenSensitivity> tokens(chosen.size());
  ProgressCounter counter(progress, "tokens", static_cast<double>(chosen.size()));
  const auto measure = [&](Index k) {
    const Index token = chosen[static_cast<size_t>(k)];
    const auto view = question ? sample.token(token) : nullptr;  // keeps deferred weights for the question
    tokens[static_cast<size_t>(k)] = measure_token(sample, token, options, stream);
    if (question) question(token, *view);
    counter.step();
  };
  for_each_search(sample, static_cast<Index>(chosen.size()), measure);
  SampleSensitivity result;
  result.most = *std::max_element(tokens.begin(), tokens.end(),
                                  [](const auto& a, const auto& b) { return a.sensitivity < b.sensitivity; });
  result.most.evaluations = 0;
  for (const TokenSensitivity& token : tokens) {
    result.sensitivities.push_back(token.sensitivity);
    result.most.evaluations += token.evaluations;
    if (token.upper_bound) {
      result.most.upper_bound = std::max(result.most.upper_bound.value_or(0), *token.upper_bound);
      // One failure suffices, so the probabilities add up.
      if (token.token != result.most.token)
        result.most.upper_bound_probability =
            std::min(1.0, result.most.upper_bound_probability.value_or(0) + *token.upper_bound_probability);
    }
  }
  return result;
}

double estimate_token_by_power(const MappedSample& sample, Index token, double radius, int iterations,
                               const Stream& stream) {
  check_features(sample);
  check_radius(sample, radius);
  const auto view = sample.token(token);
  const auto change = view->change();
  const auto starts =
      starting_directions(*view, change->dimension(), 1, stream.derive(static_cast<std::uint64_t>(token)));
  const AscentResult found = iterate_power(*change, starts.front(), radius, iterations);
  if (!std::isfinite(found.value))
    throw DataError(
        fmt::format("the change of the features when token {} moves, or its slope, is not finite or too large for a "
                    "double; take a radius smaller than {:.4g}",
                    token, radius));
  return radius > 0 ? std::sqrt(std::max(0.0, found.value)) / sample.feature_norm() : 0;
}

}  // namespace wordsway
