// Random features that are never formed: time and memory of a trial against n, and the sizes the project promises.
#include <cmath>

#include <fmt/format.h>

#include "support/roofs.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

constexpr Index kDimension = 768;

struct Promise {
  double seconds, megabytes;
};

// Measures from data in memory to the result.
void report(const char* name, Index n, Index depth, std::optional<int> starts, std::optional<Promise> promise) {
  MapOptions options;
  options.n = n;
  options.d = kDimension;
  options.set("depth", depth);
  options.keep_weights = false;
  const Matrix X = spiked_sample(Stream(3), Stream(4), n, kDimension, 0.3);
  const double begin = bench::now();
  const auto map = map_registry().get(name).draw(options, Stream(1));
  const auto sample = map->at(X);
  const auto view = sample->token(0);  // holds the token's block, so that its size can be read afterwards
  const auto found = measure_token(*sample, 0, {.starts = starts}, Stream(2));
  const double seconds = bench::now() - begin;
  const double width = static_cast<double>(n * kDimension), columns = width;
  const double dense = 8e-9 * (width * columns + static_cast<double>(depth - 1) * width * width);
  fmt::print("{:<5}{:>6}{:>7}{:>7}{:>11.3f}{:>11.0f}{:>13.1f}{:>10.5f}{:>10.4f}{:>7}  {}\n", name, depth, n,
             found.starts, seconds, *map->memory_bytes() * 1e-6, dense, found.sensitivity,
             found.sensitivity * std::sqrt(static_cast<double>(n)), found.evaluations,
             promise ? fmt::format("at most {} s, {} MB", promise->seconds, promise->megabytes) : "");
}

}  // namespace
}  // namespace wordsway

int main() {
  using namespace wordsway;
  fmt::print("d = {}, {} threads; MB: deferred matrices, dense GB: what they would take written down\n", kDimension,
             available_threads());
  fmt::print("{:<5}{:>6}{:>7}{:>7}{:>11}{:>11}{:>13}{:>10}{:>10}{:>7}\n", "map", "depth", "n", "starts", "seconds",
             "MB", "dense GB", "S", "S*sqrt(n)", "evals");
  report("rf", 150, 1, {}, Promise{0.5, 250});
  report("drf", 80, 8, {}, Promise{2.5, 1000});
  for (const Index n : {100, 300, 1000, 3000}) report("rf", n, 1, 1, {});
  report("rf", 10000, 1, 1, Promise{60, 6000});
}
