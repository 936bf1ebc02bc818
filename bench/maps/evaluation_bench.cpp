// One step of the ascent for every map: an image LΔ, a value with gradient, a pull-back. Bytes are the least that the
// step has to read; the roof is the bandwidth that this run measured for a working set of that size. Then the same step
// with several moving tokens, in units of φ computed afresh.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "support/roofs.h"
#include "wordsway/core/parallel.h"
#include "wordsway/data/data_source.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

struct Size {
  Index n, d;
};
constexpr Size kAttention{250, 768};
constexpr Size kFeatures{20, 192};  // V is 118 MB dense
constexpr Index kDepth = 2;         // of deep features

struct Step {
  double seconds;
  double bytes;        // to read at least
  double working_set;  // that the roof is measured for
};

// Attention reads W twice (image, pull-back), X four times (image, row i and its gradient, pull-back), e_j twice.
// Random features read the token's block V_i twice, deep ones each deeper layer twice as well.
Step bytes_of(const std::string& name, const MapOptions& options) {
  const double n = static_cast<double>(options.n), d = static_cast<double>(options.d), k = n * d;
  if (name.starts_with("raf")) return {0, 8 * (2 * d * d + 6 * n * d), 8 * (d * d + 2 * n * d)};
  const double weights = k * d + static_cast<double>(name == "drf" ? kDepth - 1 : 0) * k * k;
  return {0, 16 * weights, 8 * weights};
}

struct Sampled {
  std::unique_ptr<FeatureMap> map;
  Matrix X;
  MapOptions options;
};

Sampled draw_sampled(const std::string& name) {
  const Size size = name.starts_with("raf") ? kAttention : kFeatures;
  MapOptions options;
  options.n = size.n;
  options.d = size.d;
  options.set("depth", kDepth);
  options.random = "dense";
  return {map_registry().get(name).draw(options, Stream(1)), spiked_sample(Stream(2), Stream(3), size.n, size.d, 0.3),
          options};
}

double seconds_of_step(const LiftedFunction& f) {
  const Vector delta = gaussian_vector(Stream(4), f.dimension());
  Vector lifted(f.lifted_size()), lifted_gradient, gradient(f.dimension());
  return bench::fastest([&] {
    f.lift(delta, lifted);
    f.evaluate(lifted, &lifted_gradient);
    f.pull_back(lifted_gradient, gradient);
  });
}

Step time_step(const std::string& name) {
  const Sampled at = draw_sampled(name);
  Step step = bytes_of(name, at.options);
  step.seconds = seconds_of_step(*at.map->at(at.X)->token(0)->change());
  return step;
}

// A step of M tokens over φ computed afresh, for M = 1, 4, 16.
void print_together(const std::string& name) {
  const Sampled at = draw_sampled(name);
  const double whole = bench::fastest([&] { at.map->at(at.X); });
  const auto sample = at.map->at(at.X);
  fmt::print("{:<14}{:>12.3f}", name, whole * 1e3);
  for (const Index moved : {1, 4, 16}) {
    std::vector<Index> tokens(static_cast<size_t>(moved));
    std::iota(tokens.begin(), tokens.end(), Index{0});
    const double seconds = seconds_of_step(*sample->tokens(tokens)->change());
    fmt::print("{:>12.3f}{:>8.2f}", seconds * 1e3, seconds / whole);
  }
  fmt::print("\n");
}

}  // namespace
}  // namespace wordsway

int main() {
  using namespace wordsway;
  set_thread_count(1);
  fmt::print(
      "one step (image, value with gradient, pull-back), one thread; attention at n = {}, d = {}, random features "
      "dense at n = {}, d = {}\n",
      kAttention.n, kAttention.d, kFeatures.n, kFeatures.d);
  fmt::print("{:<14}{:>10}{:>12}{:>10}{:>12}{:>12}{:>10}\n", "map", "ms", "MB to read", "GB/s", "roof GB/s", "fraction",
             "to raf");
  const double raf = time_step("raf").seconds;
  for (const std::string& name : map_registry().names()) {
    const Step step = time_step(name);
    const double rate = step.bytes / step.seconds, roof = bench::read_bandwidth(step.working_set);
    const std::string ratio = name.starts_with("raf") ? fmt::format("{:.2f}", step.seconds / raf) : "-";
    fmt::print("{:<14}{:>10.3f}{:>12.2f}{:>10.1f}{:>12.1f}{:>12.2f}{:>10}\n", name, step.seconds * 1e3,
               step.bytes * 1e-6, rate * 1e-9, roof * 1e-9, rate / roof, ratio);
  }
  fmt::print("\none step when M tokens move together, and its share of the whole map computed afresh\n");
  fmt::print("{:<14}{:>12}{:>12}{:>8}{:>12}{:>8}{:>12}{:>8}\n", "map", "whole ms", "M = 1 ms", "share", "M = 4 ms",
             "share", "M = 16 ms", "share");
  for (const char* name : {"raf", "raf-relu", "rf", "drf"}) print_together(name);
}
