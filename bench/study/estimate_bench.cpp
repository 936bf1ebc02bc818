// The accuracy of --dry-run: expected and true time of studies like those in README, and their ratio. The ratio must
// stay within a factor of 3.
#include <chrono>

#include <benchmark/benchmark.h>

#include "wordsway/run/estimate.h"
#include "wordsway/run/run_study.h"
#include "wordsway/study/measure_study.h"

namespace wordsway {
namespace {

MeasureConfig grid(std::vector<std::string> maps, std::vector<Index> n, std::vector<Index> d, Index trials) {
  MeasureConfig config;
  config.maps = std::move(maps);
  config.n = std::move(n);
  config.d = std::move(d);
  config.trials = trials;
  config.data = synthetic_source("spiked:0.3", config.seed);
  return config;
}

void expected_against_true(benchmark::State& state, const MeasureConfig& config) {
  const MeasureStudy study(config);
  for (auto _ : state) {
    const double expected = estimate_study(study).seconds;
    const auto begin = std::chrono::steady_clock::now();
    run_study(study);
    const double truth = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    state.counters["expected_s"] = expected;
    state.counters["true_s"] = truth;
    state.counters["ratio"] = expected / truth;
  }
}

void all_tokens(benchmark::State& state) {
  MeasureConfig config = grid({"raf"}, {50, 100}, {128}, 4);
  config.token = std::nullopt;
  expected_against_true(state, config);
}

BENCHMARK_CAPTURE(expected_against_true, readme_curve, grid({"raf"}, {10, 20, 40, 80}, {128}, 10))
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(expected_against_true, default_point, grid({"raf"}, {100}, {256}, 10))
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(expected_against_true, paper_sizes, grid({"raf"}, {50, 100, 250, 500}, {256, 768}, 6))
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK_CAPTURE(expected_against_true, two_maps, grid({"raf", "raf-relu"}, {20, 100, 400}, {256}, 10))
    ->Iterations(1)
    ->Unit(benchmark::kSecond);
BENCHMARK(all_tokens)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace wordsway
