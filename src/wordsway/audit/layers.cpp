#include "wordsway/audit/layers.h"

#include "wordsway/core/statistics.h"

namespace wordsway {
namespace {

Vector changes_between(const std::vector<MatrixF>& before, const std::vector<MatrixF>& after) {
  Vector changes(static_cast<Index>(before.size()));
  for (size_t l = 0; l < before.size(); ++l)
    changes[static_cast<Index>(l)] = (after[l] - before[l]).cast<double>().norm() / before[l].cast<double>().norm();
  return changes;
}

}  // namespace

Vector layer_changes(const Transformer& transformer, const MatrixF& x, Index token, const Vector& delta) {
  return changes_between(transformer.hidden_states(x), transformer.hidden_states(with_moved_token(x, token, delta)));
}

LayerChanges measure_layers(const std::shared_ptr<const Transformer>& transformer, const MatrixF& x, Index token,
                            MoveDirection direction, const LayerOptions& options) {
  const auto states_of = [&](const MatrixF& at) {
    std::vector<MatrixF> states = transformer->hidden_states(at);
    if (!options.vector) return states;
    if (options.vector->kind != OutputKind::kLast) {
      const MatrixF output = output_of_hidden(*transformer, *options.vector, states.back());
      states.push_back(features_of_output(*options.vector, output).cast<float>());
    } else {
      for (MatrixF& state : states) state = output_of_hidden(*transformer, *options.vector, state);
    }
    return states;
  };
  const auto before = states_of(x);
  const int draws = direction == MoveDirection::kNoise ? options.draws : 1;
  std::vector<Vector> changes;
  for (int k = 0; k < draws; ++k) {
    const Stream stream = Stream(options.seed).derive("move").derive(static_cast<std::uint64_t>(k));
    const Vector delta = token_move(transformer, x, token, direction, options.radius, stream, {}, options.vector);
    changes.push_back(changes_between(before, states_of(with_moved_token(x, token, delta))));
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

std::vector<Record> rows_of(const LayerChanges& changes, Index layers, const std::string& vector, Index token,
                            const std::string& piece) {
  std::vector<Record> rows;
  for (Index l = 0; l < changes.mean.size(); ++l)
    rows.push_back({{"direction", to_string(changes.direction)},
                    {"layer", l > layers ? Value(vector) : Value(static_cast<std::int64_t>(l))},
                    {"token", static_cast<std::int64_t>(token)},
                    {"piece", piece},
                    {"change", changes.mean[l]},
                    {"deviation", changes.deviation[l]}});
  return rows;
}

}  // namespace wordsway
