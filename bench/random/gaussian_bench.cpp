// The cost of a normal number: ours in blocks, ours one at a time, and the standard library's.
#include <random>

#include <benchmark/benchmark.h>

#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

void fill_in_blocks(benchmark::State& state) {
  std::vector<double> numbers(1 << 16);
  for (auto _ : state) {
    fill_gaussian(Stream(1), 0, numbers);
    benchmark::DoNotOptimize(numbers.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(numbers.size()));
}
BENCHMARK(fill_in_blocks);

void one_at_a_time(benchmark::State& state) {
  std::uint64_t t = 0;
  for (auto _ : state) benchmark::DoNotOptimize(gaussian_reference(Stream(1), t++));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(one_at_a_time);

void standard_library(benchmark::State& state) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  for (auto _ : state) benchmark::DoNotOptimize(normal(generator));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(standard_library);

}  // namespace
}  // namespace wordsway

BENCHMARK_MAIN();
