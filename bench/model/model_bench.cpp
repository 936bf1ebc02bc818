// Times one text through an encoder: forward, and forward with the vjp back to the embedding.
//
//   bench_model [--threads T] [--repeats R] [--only bert-base|mini-lm] [--n 128,256,512] [--serve]
//
// With --serve it runs what standard input asks for, one run a line (bench/scenarios/model_forward). Else it prints one
// JSON object a line: model, n, threads, forward_ms, step_ms (forward + backward), the same in processor time
// (forward_cpu_ms, step_cpu_ms: what to compare on a busy machine, with one thread), gflops of the forward, peak_gflops
// measured in the same run, weights_mb and resident_mb (the most this process has held so far).
#include <algorithm>
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "support/peak.h"
#include "support/random_transformer.h"
#include "support/timed.h"
#include "wordsway/core/freed_memory.h"
#include "wordsway/core/parallel.h"

namespace {

using namespace wordsway;
using bench::Milliseconds;
using bench::timed;

struct Options {
  int threads = available_threads();
  int repeats = 7;
  std::string only;
  std::vector<Index> lengths{128, 256, 512};
  bool serve = false;
};

Options parse(int count, char** arguments) {
  Options options;
  options.serve = std::string(arguments[count - 1]) == "--serve";
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

// The shortest of several runs: other programs only ever make a run longer.
Milliseconds best_of(int repeats, const std::function<void()>& body) {
  body();
  Milliseconds best = timed(body);
  for (int r = 1; r < repeats; ++r) {
    const Milliseconds found = timed(body);
    best = {std::min(best.wall, found.wall), std::min(best.processor, found.processor)};
  }
  return best;
}

double resident_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// One text in one model, to be timed.
class Text {
 public:
  Text(const Transformer& transformer, Index n) : transformer_(transformer) {
    std::vector<int> ids(static_cast<size_t>(n));
    for (size_t j = 0; j < ids.size(); ++j) ids[j] = static_cast<int>(1000 + 17 * j);
    x_ = transformer.embed(ids);
  }

  void forward() { transformer_.forward(x_, transformer_.config().layers); }
  void step() {
    const MatrixF y = transformer_.forward(x_, transformer_.config().layers, {}, trace_);
    transformer_.vjp(trace_, y);
  }

 private:
  const Transformer& transformer_;
  MatrixF x_;
  TransformerTrace trace_;
};

const std::map<std::string, std::function<ModelConfig()>> kModels = {{"mini-lm", bench::mini_lm},
                                                                     {"bert-base", bench::bert_base}};

void time_model(const std::string& name, const Options& options, double peak) {
  const ModelConfig config = kModels.at(name)();
  const auto transformer = bench::random_transformer(config);
  for (const Index n : options.lengths) {
    Text text(*transformer, n);
    const Milliseconds forward = best_of(options.repeats, [&] { text.forward(); });
    const Milliseconds step = best_of(options.repeats, [&] { text.step(); });
    const double flops = config.forward_flops(n, config.layers);
    std::printf(
        "{\"engine\": \"wordsway\", \"model\": \"%s\", \"n\": %ld, \"threads\": %d, \"forward_ms\": %.2f, "
        "\"step_ms\": %.2f, \"forward_cpu_ms\": %.2f, \"step_cpu_ms\": %.2f, \"gflops\": %.1f, "
        "\"cpu_gflops\": %.1f, \"peak_gflops\": %.1f, \"weights_mb\": %.0f, \"resident_mb\": %.0f}\n",
        name.c_str(), static_cast<long>(n), options.threads, forward.wall, step.wall, forward.processor, step.processor,
        flops / forward.wall * 1e-6, flops / forward.processor * 1e-6, peak,
        static_cast<double>(transformer->parameters()) * 4 / 1048576, resident_mb());
    std::fflush(stdout);
  }
}

// Answers requests "MODEL N forward|step" with "wall processor gigaflops", one run each, so that a script can run two
// engines in turn. The request "peak" returns the peak.
void serve(const Options& options) {
  std::map<std::string, std::unique_ptr<Transformer>> transformers;
  std::map<std::string, Text> texts;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::string model, kind;
    Index n = 0;
    request >> model >> n >> kind;
    if (model == "peak") {
      std::printf("%.1f\n", bench::measured_peak_gflops(options.threads));
    } else {
      auto& transformer = transformers[model];
      if (!transformer) transformer = bench::random_transformer(kModels.at(model)());
      Text& text = texts.try_emplace(model + ' ' + std::to_string(n), *transformer, n).first->second;
      const Milliseconds found = timed([&] { kind == "step" ? text.step() : text.forward(); });
      std::printf("%.3f %.3f %.4f\n", found.wall, found.processor,
                  transformer->config().forward_flops(n, transformer->config().layers) * 1e-9);
    }
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** arguments) {
  keep_freed_memory();  // as the program does
  const Options options = parse(count, arguments);
  set_thread_count(options.threads);
  if (options.serve) {
    serve(options);
    return 0;
  }
  const double peak = bench::measured_peak_gflops(options.threads);
  for (const auto& [name, config] : kModels)
    if (options.only.empty() || options.only == name) time_model(name, options, peak);
}
