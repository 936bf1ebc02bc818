#include "wordsway/maps/random_features/features_entry.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/maps/random_features/deferred_blocks.h"
#include "wordsway/maps/random_features/features_learner.h"
#include "wordsway/maps/random_features/predict.h"
#include "wordsway/maps/random_features/token_blocks.h"
#include "wordsway/random/gaussian_matrix.h"

namespace wordsway {

const Parameter& depth_parameter() {
  static const Parameter parameter = whole_parameter("depth", 1, {.least = 1}, "Layers of deep maps");
  return parameter;
}

const Parameter& width_parameter() {
  static const Parameter parameter = whole_parameter(
      "width", SizeDefault{"n·d", [](Index n, Index d) { return n * d; }}, {.least = 1}, "Features of a layer");
  return parameter;
}

const Parameter& activation_parameter() {
  static const Parameter parameter =
      name_parameter("activation", "relu", activation_registry().names(), "Activation of random features");
  return parameter;
}

namespace {

// The sizes and choices behind a set of options.
struct Shape {
  Index D, k, depth;
  std::string random;
  const Activation& activation;
  double variance;  // of an entry, times the number of columns
};

// Products of sizes must be exact as a double and fit in an Index.
constexpr double kMostNumbers = 1e15;

Index checked_product(Index a, Index b, const char* what) {
  if (static_cast<double>(a) * static_cast<double>(b) > kMostNumbers)
    throw UsageError(fmt::format("{} must be at most {:.0e}; got {} times {}", what, kMostNumbers, a, b));
  return a * b;
}

// n·d is checked first: the width is n·d by default, and must not overflow.
Shape shape_of(FeaturesKind kind, const MapOptions& options) {
  const Index D = checked_product(options.n, options.d, "tokens times coordinates");
  const Index k = width_parameter().whole(options), depth = kind.deep ? depth_parameter().whole(options) : 1;
  checked_product(depth, k, "depth times width");
  const Activation& activation = find_activation(activation_parameter().text(options));
  const std::string random = options.random.empty() ? "deferred" : options.random;
  if (random != "dense" && random != "streamed" && random != "deferred")
    throw UsageError("random matrices are held dense, streamed or deferred; got '" + random + "'");
  return {D, k, depth, random, activation, kind.deep ? activation.variance : 1};
}

double entry_scale(const Shape& shape, Index columns) {
  return std::sqrt(shape.variance / static_cast<double>(columns));
}

std::unique_ptr<FeatureMap> draw_features(FeaturesKind kind, const MapOptions& options, const Stream& weights) {
  const Shape shape = shape_of(kind, options);
  const bool deferred = shape.random == "deferred", streamed = shape.random == "streamed";
  std::unique_ptr<TokenBlocks> first;
  const double scale = entry_scale(shape, shape.D);
  if (deferred) {
    first = std::make_unique<DeferredBlocks>(weights, options.n, options.d, shape.k, scale, options.keep_weights);
  } else {
    first = std::make_unique<StoredBlocks>(weights, options.n, options.d, shape.k, scale, streamed);
  }
  RandomFeatures::Layers deeper;
  for (Index l = 1; l < shape.depth; ++l) {
    const Stream layer = weights.derive("layer").derive(static_cast<std::uint64_t>(l));
    const double deeper_scale = entry_scale(shape, shape.k);
    if (deferred) {
      deeper.push_back(make_deferred(layer, shape.k, shape.k, deeper_scale));
    } else if (streamed) {
      deeper.push_back(std::make_shared<StreamedMatrix>(layer, shape.k, shape.k, deeper_scale));
    } else {
      deeper.push_back(std::make_shared<DenseMatrix>(layer, shape.k, shape.k, deeper_scale));
    }
  }
  return std::make_unique<RandomFeatures>(std::move(first), std::move(deeper), shape.activation);
}

std::unique_ptr<FeatureMap> with_features(FeaturesKind kind, const MapOptions& options, const Matrix& V) {
  const Shape shape = shape_of(kind, options);
  if (!options.random.empty() && options.random != "dense")
    throw UsageError("weights that are given are held dense; got --random " + options.random);
  checked_product(shape.depth, V.rows(), "depth times width");
  // The width is that of the weights unless it was given.
  const Index k = V.rows(), columns = shape.D + (shape.depth - 1) * k;
  const bool is_given = options.has(width_parameter().name());
  if (k == 0 || V.cols() != columns || (is_given && shape.k != k))
    throw DataError(fmt::format("the weights must be {} x {}; got {} x {}",
                                is_given ? std::to_string(shape.k) : "width",
                                is_given ? shape.D + (shape.depth - 1) * shape.k : columns, k, V.cols()));
  if (!V.allFinite()) throw DataError("the weights contain a value that is not finite");
  RandomFeatures::Layers deeper;
  for (Index l = 1; l < shape.depth; ++l)
    deeper.push_back(std::make_shared<DenseMatrix>(Matrix(V.middleCols(shape.D + (l - 1) * k, k))));
  return std::make_unique<RandomFeatures>(std::make_unique<StoredBlocks>(V.leftCols(shape.D), options.n, options.d),
                                          std::move(deeper), shape.activation);
}

// Vectors of the width that an ascent holds besides the matrices, and deferred columns of a typical measurement.
constexpr double kVectors = 14, kDeferredColumns = 120;

double features_memory(FeaturesKind kind, const MapOptions& options) {
  const Shape shape = shape_of(kind, options);
  const double k = static_cast<double>(shape.k), D = static_cast<double>(shape.D);
  const double deeper = static_cast<double>(shape.depth - 1);
  const double moved = static_cast<double>(options.moved_tokens);
  double numbers = kVectors * k * moved + deeper * k + 3 * D;
  if (shape.random == "dense") numbers += k * D + deeper * k * k;
  if (shape.random == "deferred") {
    // Moves beyond d are combinations of others, their features in the deeper layers are not.
    const double moves = static_cast<double>(options.moves), d = static_cast<double>(options.d);
    numbers += kDeferredColumns * k * (moved + 2 * deeper) + k * (std::min(moves, d) + 2 * deeper * std::min(moves, k));
  }
  return 8 * numbers;
}

LearnerLaw law_of(FeaturesKind kind, const MapOptions& options) {
  const Shape shape = shape_of(kind, options);
  const double first = entry_scale(shape, shape.D), deeper = entry_scale(shape, shape.k);
  return {shape.k, shape.depth, first, deeper, options.random.empty(), shape.activation};
}

void add_learner(FeaturesKind kind, MapEntry& entry) {
  entry.draw_for = [kind](const MapOptions& options, const Stream& weights, const LearnerSamples& samples) {
    return std::make_unique<FeaturesLearner>(weights, samples, law_of(kind, options));
  };
  entry.learner_law = [kind](const MapOptions& options) {
    return std::make_shared<const LearnerLaw>(law_of(kind, options));
  };
  entry.learner_memory_bytes = [kind](const MapOptions& options, Index training_size) {
    return features_learner_memory(options.d, training_size, law_of(kind, options));
  };
}

}  // namespace

MapEntry features_entry(MethodNumber method, FeaturesKind kind, std::string summary, std::string description) {
  MapEntry entry{method};
  entry.summary = std::move(summary);
  entry.description = std::move(description);
  entry.parameters = {width_parameter(), activation_parameter()};
  if (kind.deep) entry.parameters.insert(entry.parameters.begin(), depth_parameter());
  entry.random_ways = {"deferred", "dense", "streamed"};
  entry.check = [kind](const MapOptions& options) { shape_of(kind, options); };
  entry.memory_bytes = [kind](const MapOptions& options) { return features_memory(kind, options); };
  entry.draw = [kind](const MapOptions& options, const Stream& weights) {
    return draw_features(kind, options, weights);
  };
  entry.with_weights = [kind](const MapOptions& options, const Matrix& V) { return with_features(kind, options, V); };
  entry.follow_weights = [](MapOptions& options, const Matrix& V) {
    if (V.rows() > 0 && !options.has(width_parameter().name())) options.set(width_parameter().name(), V.rows());
  };
  entry.feature_count = [kind](const MapOptions& options) { return static_cast<double>(shape_of(kind, options).k); };
  entry.predict = [kind](const MapOptions& options, const TokenGeometry& geometry) {
    const Shape shape = shape_of(kind, options);
    return predict_features({shape.activation, options.n, options.d, shape.k, shape.depth, shape.variance}, geometry);
  };
  add_learner(kind, entry);
  return entry;
}

}  // namespace wordsway
