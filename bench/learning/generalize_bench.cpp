// One whole simulation of `wordsway generalize` at the sizes the project promises, each in a process of its own: time,
// peak memory, where the time goes, and what fraction of this machine's measured peak each part reaches.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/roofs.h"
#include "wordsway/core/parallel.h"
#include "wordsway/study/generalize_study.h"

namespace wordsway {
namespace {

constexpr Index kD = 768, kN = 1300;

struct Scenario {
  const char* map;
  Index n;
  double seconds, gigabytes;  // at most
};

struct Peaks {
  double flops, bytes;  // a second, of all threads
};

// Floating-point operations to make the features of N samples.
double feature_flops(const Scenario& scenario) {
  const double n = static_cast<double>(scenario.n), d = kD, N = kN, D = n * d;
  if (std::string(scenario.map) == "rf") return D * N * (N + 2 * d) + N * N * D;  // products, and the samples' Gram
  return N * n * (2 * d * d + 4 * n * d);
}

// Bytes an evaluation reads when it is a step of its own: the token's weights there and back.
double evaluation_bytes(const Scenario& scenario) {
  const double n = static_cast<double>(scenario.n), d = kD;
  return std::string(scenario.map) == "rf" ? 16 * n * d * d : 8 * (2 * d * d + 7 * n * d);
}

void line(const char* part, double seconds, double fraction, const char* of) {
  fmt::print("    {:<10}{:>9.2f} s", part, seconds);
  if (fraction > 0) fmt::print("{:>7.0f}% of peak {}", 100 * fraction, of);
  fmt::print("\n");
}

void run(const Scenario& scenario, const Peaks& peaks) {
  GeneralizeConfig config;
  config.maps = {scenario.map};
  config.n = {scenario.n};
  config.d = {kD};
  config.training_sizes = {kN};
  config.trials = 1;
  config.plan.features.bytes = 2e9;
  config.data = synthetic_labelled_source("spiked:0.3", "halfspace", 1);
  Simulation done;
  config.observe = [&](const Simulation& simulation) { done = simulation; };
  GeneralizeStudy(config).run(0);
  const LearningTimes& t = done.result.times;
  const double N = kN, p = static_cast<double>(scenario.n * kD);
  double evaluations = 0;
  for (const Outcome& outcome : done.result.outcomes) evaluations += static_cast<double>(outcome.evaluations);
  const double total = done.draw_seconds + t.features + t.kernel + t.factor + t.products + t.search;
  const double making = t.features + done.draw_seconds;
  fmt::print("{}, n = {}, d = {}, N = {}: {:.1f} s (at most {:g})\n", scenario.map, scenario.n, kD, kN, total,
             scenario.seconds);
  line("features", making, feature_flops(scenario) / making / peaks.flops, "flops (with drawing the weights)");
  line("kernel", t.kernel, N * N * p / t.kernel / peaks.flops, "flops");
  line("factor", t.factor, N * N * N / 3 / t.factor / peaks.flops, "flops (with the condition number)");
  line("products", t.products, 8 * N * p / t.products / peaks.bytes, "bandwidth");
  line("search", t.search, evaluations * evaluation_bytes(scenario) / t.search / peaks.bytes,
       "bandwidth at most, evaluations being steps or less");
  fmt::print("    made the samples in {:.2f} s before; {:.0f} evaluations\n", done.data_seconds, evaluations);
  for (const Outcome& o : done.result.outcomes)
    fmt::print("    {:<10}{:<6} gamma {:.3f} error {:.2e}\n", to_string(o.training), to_string(o.objective), o.gamma,
               o.error);
}

void run_in_child(const Scenario& scenario, const Peaks& peaks) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    run(scenario, peaks);
    std::fflush(stdout);
    _exit(0);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (status != 0) fmt::print("{}, n = {}: failed\n", scenario.map, scenario.n);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  fmt::print(
      "    processor time {:.1f} s with the samples': {:.1f} s for each thread, which others cannot lengthen much\n",
      seconds(usage.ru_utime) + seconds(usage.ru_stime),
      (seconds(usage.ru_utime) + seconds(usage.ru_stime)) / available_threads());
  fmt::print("    peak memory {:.2f} GB (at most {:g})\n", static_cast<double>(usage.ru_maxrss) * 1024e-9,
             scenario.gigabytes);
}

}  // namespace
}  // namespace wordsway

int main(int argc, char** argv) {
  using namespace wordsway;
  const double threads = available_threads();
  const Peaks peaks{threads * bench::peak_flops(), threads * bench::read_bandwidth(4e8)};
  fmt::print("{:.0f} threads; peak {:.0f} GF/s in double, {:.0f} GB/s from memory, if threads do not share them\n",
             threads, peaks.flops * 1e-9, peaks.bytes * 1e-9);
  for (const Scenario& scenario : {Scenario{"raf", 120, 12, 3}, {"rf", 40, 12, 2}, {"rf", 120, 45, 4}}) {
    const std::string name = fmt::format("{}-{}", scenario.map, scenario.n);
    if (argc > 1 && name != argv[1]) continue;
    if (map_registry().contains(scenario.map)) run_in_child(scenario, peaks);
  }
}
