// Times one text through an encoder: forward, and forward with the vjp back to the embedding.
//
//   bench_model [--threads T] [--repeats R] [--only bert-base|mini-lm] [--n 128,256,512]
//
// Prints one JSON object a line: model, n, threads, forward_ms, step_ms (forward + backward), the same in processor
// time (forward_cpu_ms, step_cpu_ms: what to compare on a busy machine, with one thread), gflops of the forward,
// peak_gflops measured in the same run, weights_mb and resident_mb (the most this process has held so far).
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "model/peak.h"
#include "model/random_encoder.h"
#include "wordsway/core/parallel.h"

namespace {

using namespace wordsway;

struct Options {
  int threads = available_threads();
  int repeats = 7;
  std::string only;
  std::vector<Index> lengths{128, 256, 512};
};

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string flag = arguments[i], value = arguments[i + 1];
    if (flag == "--threads") options.threads = std::stoi(value);
    if (flag == "--repeats") options.repeats = std::stoi(value);
    if (flag == "--only") options.only = value;
    if (flag == "--n") {
      options.lengths.clear();
      std::stringstream list(value);
      for (std::string item; std::getline(list, item, ',');) options.lengths.push_back(std::stol(item));
    }
  }
  return options;
}

struct Milliseconds {
  double wall = std::numeric_limits<double>::max();
  double processor = std::numeric_limits<double>::max();  // of all threads together
};

// The shortest of several runs: other programs only ever make a run longer.
Milliseconds best_of(int repeats, const std::function<void()>& body) {
  body();
  Milliseconds best;
  for (int r = 0; r < repeats; ++r) {
    const std::clock_t processor = std::clock();
    const auto start = std::chrono::steady_clock::now();
    body();
    best.wall = std::min(best.wall,
                         std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    best.processor = std::min(best.processor, 1e3 * static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC);
  }
  return best;
}

double resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Multiplications and additions of the matrix products of one forward.
double forward_flops(const ModelConfig& config, Index n) {
  const auto d = static_cast<double>(config.hidden_size), f = static_cast<double>(config.feed_forward_size);
  const auto tokens = static_cast<double>(n);
  return static_cast<double>(config.layers) * tokens * (8 * d * d + 4 * d * f + 4 * tokens * d);
}

void time_model(const std::string& name, const ModelConfig& config, const Options& options, double peak) {
  const auto encoder = bench::random_encoder(config);
  for (const Index n : options.lengths) {
    std::vector<int> ids(static_cast<size_t>(n));
    for (size_t j = 0; j < ids.size(); ++j) ids[j] = static_cast<int>(1000 + 17 * j);
    const MatrixF x = encoder->embed(ids);
    const Milliseconds forward = best_of(options.repeats, [&] { encoder->forward(x, config.layers); });
    EncoderTrace trace;
    const Milliseconds step = best_of(options.repeats, [&] {
      const MatrixF y = encoder->forward(x, config.layers, {}, trace);
      encoder->vjp(trace, y);
    });
    const double gflops = forward_flops(config, n) / forward.wall * 1e-6;
    std::printf(
        "{\"engine\": \"wordsway\", \"model\": \"%s\", \"n\": %ld, \"threads\": %d, \"forward_ms\": %.2f, "
        "\"step_ms\": %.2f, \"forward_cpu_ms\": %.2f, \"step_cpu_ms\": %.2f, \"gflops\": %.1f, "
        "\"cpu_gflops\": %.1f, \"peak_gflops\": %.1f, \"weights_mb\": %.0f, \"resident_mb\": %.0f}\n",
        name.c_str(), static_cast<long>(n), options.threads, forward.wall, step.wall, forward.processor, step.processor,
        gflops, forward_flops(config, n) / forward.processor * 1e-6, peak,
        static_cast<double>(encoder->parameters()) * 4 / 1048576, resident_mb());
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  set_thread_count(options.threads);
  const double peak = bench::measured_peak_gflops(options.threads);
  if (options.only.empty() || options.only == "mini-lm") time_model("mini-lm", bench::mini_lm(), options, peak);
  if (options.only.empty() || options.only == "bert-base") time_model("bert-base", bench::bert_base(), options, peak);
}
