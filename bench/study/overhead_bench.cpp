// The overhead of study and journal per trial: trials that do nothing, with rows as long as those of `measure`. It must
// stay below 0.2 ms per trial.
#include <filesystem>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "wordsway/run/run_study.h"

namespace wordsway {
namespace {

class EmptyStudy final : public Study {
 public:
  std::string command() const override { return "empty"; }
  Record config() const override { return {{"seed", std::int64_t{1}}}; }
  StudyContent content() const override { return {{{"method", std::int64_t{1}}}, {}}; }
  Index size() const override { return 2000; }
  double memory_bytes(Index) const override { return 1000; }
  Record key(Index task) const override {
    return {
        {"map", "raf"}, {"n", std::int64_t{10}}, {"d", std::int64_t{128}}, {"trial", static_cast<std::int64_t>(task)}};
  }
  std::vector<Record> run(Index task) const override {
    Record row = key(task);
    for (const char* name : {"sensitivity", "upper_bound", "predicted", "feature_norm", "delta_norm", "start_spread",
                             "evaluations", "memory_bytes", "seconds"})
      row.set(name, 1.0 / static_cast<double>(task + 3));
    return {row};
  }
};

void per_trial(benchmark::State& state, bool journal) {
  const EmptyStudy study;
  const auto path = std::filesystem::temp_directory_path() / ("wordsway-bench-" + std::to_string(getpid()) + ".jsonl");
  for (auto _ : state) {
    RunOptions options;
    if (journal) options.journal = path;
    benchmark::DoNotOptimize(run_study(study, options));
    state.PauseTiming();
    std::filesystem::remove(path);
    state.ResumeTiming();
  }
  state.counters["seconds_per_trial"] =
      benchmark::Counter(static_cast<double>(study.size()) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// Reading a finished journal and finding nothing to do.
void resume(benchmark::State& state) {
  const EmptyStudy study;
  const auto path = std::filesystem::temp_directory_path() / ("wordsway-bench-" + std::to_string(getpid()) + ".jsonl");
  RunOptions options;
  options.journal = path;
  run_study(study, options);
  for (auto _ : state) benchmark::DoNotOptimize(run_study(study, options));
  std::filesystem::remove(path);
  state.counters["seconds_per_trial"] =
      benchmark::Counter(static_cast<double>(study.size()) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(per_trial, without_journal, false)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(per_trial, with_journal, true)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(resume)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace wordsway

BENCHMARK_MAIN();
