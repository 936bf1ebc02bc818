// Whole measurements at the sizes the project promises: time, peak memory, and where the limit is.
#include <cmath>

#include <fmt/format.h>
#include <sys/resource.h>

#include "support/roofs.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/sensitivity/sensitivity.h"

namespace wordsway {
namespace {

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Measures from data in memory to the result: draw W, precompute, ascend.
SampleSensitivity measure(const Matrix& X, bool all_tokens) {
  MapOptions options;
  options.n = X.rows();
  options.d = X.cols();
  const auto map = map_registry().get("raf").draw(options, Stream(1));
  const auto sample = map->at(X);
  const SensitivityOptions search;
  if (all_tokens) return measure_tokens(*sample, search, Stream(2));
  SampleSensitivity result;
  result.most = measure_token(*sample, 0, search, Stream(2));
  return result;
}

void report(const char* what, Index n, Index d, bool all_tokens, int rounds, double limit_seconds) {
  const Matrix X = spiked_sample(Stream(3), Stream(4), n, d, 0.3);
  double best = 1e300;
  SampleSensitivity found;
  for (int round = 0; round < rounds; ++round) {
    const double begin = bench::now();
    found = measure(X, all_tokens);
    best = std::min(best, bench::now() - begin);
  }
  fmt::print("{:<34}{:>8}{:>6}{:>12.3f}{:>12.3f}{:>12.0f}{:>10.4f}{:>8}\n", what, n, d, best, limit_seconds,
             peak_megabytes(), found.most.sensitivity, found.most.evaluations);
}

}  // namespace
}  // namespace wordsway

int main() {
  using namespace wordsway;
  fmt::print("raf on spiked data, 4 starts, {} threads; peak is of the whole program so far\n", available_threads());
  fmt::print("{:<34}{:>8}{:>6}{:>12}{:>12}{:>12}{:>10}{:>8}\n", "what", "n", "d", "seconds", "at most", "peak MB", "S",
             "evals");
  report("one token", 250, 768, false, 10, 0.1);
  report("all tokens", 250, 768, true, 1, 15);
  report("one token, long context", 16384, 768, false, 1, 60);
  fmt::print("peak of one thread here: {:.1f} GF/s in double, {:.1f} GB/s from memory\n", bench::peak_flops() * 1e-9,
             bench::read_bandwidth(4e8) * 1e-9);
}
