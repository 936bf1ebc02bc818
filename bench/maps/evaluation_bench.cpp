// One step of the ascent for every map: an image LΔ, a value with gradient, a pull-back. Bytes are what the step has to
// read at least; the roof is the bandwidth this run measured for a working set of that size.
#include <cmath>

#include <fmt/format.h>

#include "support/roofs.h"
#include "wordsway/data/synthetic.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

constexpr Index kTokens = 250, kDimension = 768;

struct Step {
  double seconds;
  double bytes;
};

// Attention reads W twice (image, pull-back), X four times (image, row i and its gradient, pull-back), e_j twice.
double attention_bytes() {
  return 8.0 * (2.0 * kDimension * kDimension + 6.0 * kTokens * kDimension);
}

Step time_step(const std::string& name) {
  MapOptions options;
  options.n = kTokens;
  options.d = kDimension;
  const auto map = map_registry().get(name).draw(options, Stream(1));
  const auto sample = map->at(spiked_sample(Stream(2), Stream(3), kTokens, kDimension, 0.3));
  const auto view = sample->token(0);
  const auto change = view->change();
  const Vector delta = gaussian_vector(Stream(4), kDimension);
  Vector lifted(change->lifted_size()), lifted_gradient, gradient(kDimension);
  const double seconds = bench::fastest([&] {
    change->lift(delta, lifted);
    change->evaluate(lifted, &lifted_gradient);
    change->pull_back(lifted_gradient, gradient);
  });
  return {seconds, attention_bytes()};
}

}  // namespace
}  // namespace wordsway

int main() {
  using namespace wordsway;
  fmt::print("one step (image, value with gradient, pull-back), n = {}, d = {}, one thread\n", kTokens, kDimension);
  fmt::print("{:<14}{:>10}{:>12}{:>10}{:>12}{:>12}{:>10}\n", "map", "ms", "MB to read", "GB/s", "roof GB/s", "fraction",
             "to raf");
  const double raf = time_step("raf").seconds;
  for (const std::string& name : map_registry().names()) {
    if (!name.starts_with("raf")) continue;
    const Step step = time_step(name);
    const double rate = step.bytes / step.seconds, roof = bench::read_bandwidth(8.0 * (768.0 * 768 + 2 * 250 * 768));
    fmt::print("{:<14}{:>10.3f}{:>12.2f}{:>10.1f}{:>12.1f}{:>12.2f}{:>10.2f}\n", name, step.seconds * 1e3,
               step.bytes * 1e-6, rate * 1e-9, roof * 1e-9, rate / roof, step.seconds / raf);
  }
}
