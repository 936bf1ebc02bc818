#include "support/peak.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <thread>
#include <vector>

namespace wordsway::bench {
namespace {

constexpr int kChains = 12;           // independent, so that the latency of one addition does not show
constexpr long kRounds = 40'000'000;  // a tenth of a second: processor time is coarse

#ifdef __AVX512F__
constexpr int kWidth = 16;
#elif defined(__AVX__)
constexpr int kWidth = 8;
#else
constexpr int kWidth = 4;
#endif
using Lanes __attribute__((vector_size(kWidth * sizeof(float)))) = float;

// The compiler must take the value for changed.
void touch(Lanes& lanes) {
#if defined(__aarch64__)
  asm volatile("" : "+w"(lanes));
#else
  asm volatile("" : "+v"(lanes));
#endif
}

float spin() {
  std::array<Lanes, kChains> chain{};
  Lanes factor{}, addend{};
  factor = factor + 0.999999f;
  addend = addend + 1e-6f;
  for (Lanes& c : chain) touch(c);  // or the compiler sees that all chains are the same
  for (long round = 0; round < kRounds; ++round) {
    for (Lanes& c : chain) c = c * factor + addend;
    touch(factor);  // the loop must be run, not solved
  }
  float sum = 0;
  for (const Lanes& c : chain) sum += c[0];
  return sum;
}

double run_once(int threads) {
  std::vector<float> results(static_cast<size_t>(threads));
  const std::clock_t start = std::clock();  // processor time: a peak must not depend on who else is running
  {
    std::vector<std::jthread> pool;
    for (float& result : results) pool.emplace_back([&result] { result = spin(); });
  }
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / threads;
  return 2.0 * kWidth * kChains * static_cast<double>(kRounds) * threads / seconds * 1e-9;
}

}  // namespace

double measured_peak_gflops(int threads) {
  double best = 0;
  for (int repeat = 0; repeat < 3; ++repeat) best = std::max(best, run_once(threads));
  return best;
}

}  // namespace wordsway::bench
