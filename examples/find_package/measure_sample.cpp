// Measures the word sensitivity of softmax attention on a sample of its own, with an installed wordsway.
#include <cmath>
#include <cstdio>

#include "wordsway/core/error.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/sensitivity/sensitivity.h"

int main() {
  const wordsway::Index n = 40, d = 64;
  const wordsway::Stream stream(1);
  wordsway::Matrix X = wordsway::spiked_sample(stream.derive("tokens"), stream.derive("spike"), n, d, 0.3);

  wordsway::MapOptions options;
  options.n = n;
  options.d = d;
  const auto map = wordsway::map_registry().get("raf").draw(options, stream.derive("weights"));
  const auto sample = map->at(X);
  const auto found = wordsway::measure_token(*sample, 0, {}, stream);
  std::printf("one word moves the representation by %.3f of its length, at most %.3f\n", found.sensitivity,
              *found.upper_bound);

  // Moving the token by the delta that was found and mapping again gives the same change. X was allocated by the
  // library and is copied, resized and freed here, in code compiled without its instruction set.
  wordsway::Matrix moved = X;
  moved.row(0) += found.delta.transpose();
  const double again = (map->at(moved)->features() - sample->features()).norm() / sample->feature_norm();
  std::printf("recomputed: %s\n", std::abs(again - found.sensitivity) < 1e-9 ? "the same" : "different");
  X.conservativeResize(3, 3);

  try {
    wordsway::map_registry().get("no such map");
  } catch (const wordsway::UsageError& error) {
    std::printf("caught: %.25s\n", error.what());
  }
  return 0;
}
