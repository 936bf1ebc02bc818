#include "wordsway/audit/layers.h"

#include <algorithm>
#include <cmath>

#include "wordsway/core/statistics.h"

namespace wordsway {
namespace {

Vector changes_between(const std::vector<MatrixF>& before, const std::vector<MatrixF>& after) {
  Vector changes(static_cast<Index>(before.size()));
  for (size_t l = 0; l < before.size(); ++l)
    changes[static_cast<Index>(l)] = (after[l] - before[l]).cast<double>().norm() / before[l].cast<double>().norm();
  return changes;
}

// The states of every layer, and of the output with one vector if it is requested.
std::vector<MatrixF> states_of(const Transformer& transformer, const MatrixF& x,
                               const std::optional<ModelOutput>& vector) {
  std::vector<MatrixF> states = transformer.hidden_states(x);
  if (!vector) return states;
  if (vector->readout->is_of_every_layer()) {
    for (MatrixF& state : states) state = vector->read(transformer, state);
  } else {
    states.push_back(vector->readout->features(vector->read(transformer, states.back())).cast<float>());
  }
  return states;
}

// Compares rows in order; surplus rows are compared with 0.
double squared_difference(const Matrix& before, const Matrix& after) {
  const Index both = std::min(before.rows(), after.rows());
  return (after.topRows(both) - before.topRows(both)).squaredNorm() +
         before.bottomRows(before.rows() - both).squaredNorm() + after.bottomRows(after.rows() - both).squaredNorm();
}

}  // namespace

Vector layer_changes(const Transformer& transformer, const MatrixF& x, Index token, const Vector& delta) {
  return changes_between(transformer.hidden_states(x), transformer.hidden_states(with_moved_token(x, token, delta)));
}

LayerChanges measure_layers(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x, Index token,
                            MoveDirection direction, const LayerOptions& options) {
  const auto before = states_of(*transformer, x, options.vector);
  const int draws = direction == MoveDirection::kNoise ? options.draws : 1;
  std::vector<Vector> changes;
  for (int k = 0; k < draws; ++k) {
    const Stream stream = Stream(options.seed).derive("move").derive(static_cast<std::uint64_t>(k));
    const Vector delta = token_move(transformer, x, token, direction, options.radius, stream, {}, options.vector);
    changes.push_back(
        changes_between(before, states_of(*transformer, with_moved_token(x, token, delta), options.vector)));
  }
  LayerChanges result{direction, Vector(changes.front().size()), Vector(changes.front().size())};
  for (Index l = 0; l < result.mean.size(); ++l) {
    std::vector<double> of_layer;
    of_layer.reserve(changes.size());
    for (const Vector& draw : changes) of_layer.push_back(draw[l]);
    const Moments found = moments(of_layer);
    result.mean[l] = found.mean;
    result.deviation[l] = found.count < 2 ? 0 : found.deviation;
  }
  return result;
}

Index shared_begin(std::span<const int> a, std::span<const int> b) {
  return std::ranges::mismatch(a, b).in1 - a.begin();
}

Vector text_changes(const Transformer& transformer, std::span<const int> before, std::span<const int> after,
                    const std::optional<ModelOutput>& vector) {
  const Index begin = shared_begin(before, after);
  const auto rest_of = [&](std::span<const int> ids) {
    return std::vector<int>(ids.rbegin(), ids.rend() - begin);  // from the end
  };
  const Index end = shared_begin(rest_of(before), rest_of(after));
  const auto embedded = [&](std::span<const int> ids) { return transformer.embed({ids.begin(), ids.end()}); };
  const auto states = states_of(transformer, embedded(before), vector);
  const auto changed = states_of(transformer, embedded(after), vector);
  Vector changes(static_cast<Index>(states.size()));
  for (size_t l = 0; l < states.size(); ++l) {
    const Matrix x = states[l].cast<double>(), y = changed[l].cast<double>();
    const bool has_tokens = x.rows() == static_cast<Index>(before.size());
    const Index first = has_tokens ? begin : 0, last = has_tokens ? end : 0;
    const double squared =
        squared_difference(x.topRows(first), y.topRows(first)) +
        squared_difference(x.middleRows(first, x.rows() - first - last), y.middleRows(first, y.rows() - first - last)) +
        squared_difference(x.bottomRows(last), y.bottomRows(last));
    changes[static_cast<Index>(l)] = std::sqrt(squared) / x.norm();
  }
  return changes;
}

std::vector<Record> rows_of(const std::string& direction, const Vector& mean, const Vector& deviation, Index layers,
                            const std::string& vector, Index token, const std::string& piece) {
  std::vector<Record> rows;
  for (Index l = 0; l < mean.size(); ++l)
    rows.push_back({{"direction", direction},
                    {"layer", l > layers ? Value(vector) : Value(static_cast<std::int64_t>(l))},
                    {"token", static_cast<std::int64_t>(token)},
                    {"piece", piece},
                    {"change", mean[l]},
                    {"deviation", deviation[l]}});
  return rows;
}

std::vector<Record> rows_of(const LayerChanges& changes, Index layers, const std::string& vector, Index token,
                            const std::string& piece) {
  return rows_of(to_string(changes.direction), changes.mean, changes.deviation, layers, vector, token, piece);
}

}  // namespace wordsway
