// Does a fused pair of products cost what one product costs? M is as large as W at d = 768.
#include <benchmark/benchmark.h>

#include "support/roofs.h"
#include "wordsway/core/tall_products.h"

namespace wordsway {
namespace {

constexpr Index kSize = 768;
constexpr double kBytes = 8.0 * kSize * kSize;

void report(benchmark::State& state) {
  state.counters["GB/s"] = benchmark::Counter(kBytes * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["roof GB/s"] = bench::read_bandwidth(kBytes) * 1e-9;
}

void one_product(benchmark::State& state) {
  const Matrix M = Matrix::Random(kSize, kSize);
  const Vector x = Vector::Random(kSize);
  Vector y(kSize);
  for (auto _ : state) {
    y.noalias() = M * x;
    benchmark::DoNotOptimize(y.data());
  }
  report(state);
}
BENCHMARK(one_product);

void both_ways(benchmark::State& state) {
  const Matrix M = Matrix::Random(kSize, kSize);
  const Vector x = Vector::Random(kSize);
  Vector y(kSize), z(kSize);
  for (auto _ : state) {
    multiply_both_ways(M, x, y, z);
    benchmark::DoNotOptimize(y.data());
  }
  report(state);
}
BENCHMARK(both_ways);

void pair(benchmark::State& state) {
  const Matrix M = Matrix::Random(kSize, kSize);
  const Vector u = Vector::Random(kSize), v = Vector::Random(kSize);
  Vector y(kSize), z(kSize);
  for (auto _ : state) {
    multiply_pair(M, u, v, y, z);
    benchmark::DoNotOptimize(y.data());
  }
  report(state);
}
BENCHMARK(pair);

void transposed_pair(benchmark::State& state) {
  const Matrix M = Matrix::Random(kSize, kSize);
  const Vector u = Vector::Random(kSize), v = Vector::Random(kSize);
  Vector y(kSize), z(kSize);
  for (auto _ : state) {
    multiply_pair_transposed(M, u, v, y, z);
    benchmark::DoNotOptimize(y.data());
  }
  report(state);
}
BENCHMARK(transposed_pair);

}  // namespace
}  // namespace wordsway

BENCHMARK_MAIN();
