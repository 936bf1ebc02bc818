// The cost of identifying a model by content: reading and digesting a file as large as the weights of all-MiniLM-L6-v2
// (91 MB). The limit is 0.1 s. The floor is one reading of the file's bytes from the system's cache.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include "support/roofs.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/source_files.h"

namespace wordsway {
namespace {

constexpr size_t kBytes = 91'000'000, kChunk = size_t{1} << 20;

void digest_file(benchmark::State& state) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("wordsway-digest-" + std::to_string(getpid()));
  std::string content(kBytes, 'w');
  for (size_t k = 0; k < content.size(); ++k) content[k] = static_cast<char>(k * k % 251);
  write_file_atomically(path, content);
  const SourceFile file = note_file("weights", path);
  const auto read_only = [&] {
    const InputFile input(path);
    std::vector<std::byte> buffer(kChunk);
    for (size_t offset = 0; offset < kBytes; offset += kChunk)
      input.read(offset, std::span(buffer).first(std::min(kChunk, kBytes - offset)));
  };
  const double floor = bench::fastest(read_only);
  double seconds = 1e300;
  for (auto _ : state) {
    const double begin = bench::now();
    benchmark::DoNotOptimize(digest_of_file(file));
    seconds = std::min(seconds, bench::now() - begin);
  }
  std::filesystem::remove(path);
  state.counters["fastest_s"] = seconds;
  state.counters["limit_s"] = 0.1;
  state.counters["floor_s"] = floor;
  state.counters["GB_per_s"] = static_cast<double>(kBytes) * 1e-9 / seconds;
}

BENCHMARK(digest_file)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace wordsway

BENCHMARK_MAIN();
