// Maps that tests compare between the CUDA device and the processor.
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>

#include "wordsway/maps/map_registry.h"

namespace wordsway::test {

inline double relative_error(const Matrix& got, const Matrix& expected) {
  return (got - expected).norm() / std::max(expected.norm(), 1e-30);
}

struct AttentionCase {
  std::string map;
  double beta;
  Index n, d;
};

inline void PrintTo(const AttentionCase& at, std::ostream* out) {
  *out << at.map << " beta " << at.beta << " n " << at.n << " d " << at.d;
}

struct FeaturesCase {
  std::string map, activation, random;
  std::int64_t width, depth;
  Index n, d;
};

inline void PrintTo(const FeaturesCase& at, std::ostream* out) {
  *out << at.map << " " << at.activation << " " << at.random << " width " << at.width << " depth " << at.depth << " n "
       << at.n << " d " << at.d;
}

inline std::unique_ptr<FeatureMap> draw_features(const FeaturesCase& at) {
  MapOptions options;
  options.n = at.n;
  options.d = at.d;
  options.random = at.random;
  options.keep_weights = true;
  options.set("activation", at.activation);
  options.set("width", at.width);
  if (at.map == "drf") options.set("depth", at.depth);
  return map_registry().get(at.map).draw(options, Stream(11));
}

}  // namespace wordsway::test
