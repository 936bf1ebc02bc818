// Times copies of one text through an encoder on the CUDA device: values, and values with gradients.
//
//   bench_cuda [--only bert-base|mini-lm] [--n 128,256,512] [--precision f32,tf32,bf16] [--copies K] [--repeats R]
//
// Prints one JSON object per line: model, n, precision, copies at once, values_ms and gradients_ms for one copy, and
// tflops, the matrix products of a forward and a vector-Jacobian product over that time.
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/random_transformer.h"
#include "support/timed.h"
#include "wordsway/core/error.h"
#include "wordsway/cuda/cuda_engine.h"

namespace {

using namespace wordsway;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> items;
  std::stringstream from(list);
  for (std::string item; std::getline(from, item, ',');) items.push_back(item);
  return items;
}

void run(const std::string& name, const Transformer& transformer, const DeviceEngine& engine, Index n, Index copies,
         int repeats) {
  std::vector<int> ids;
  std::vector<Index> tokens;
  for (Index j = 0; j < n; ++j) ids.push_back(static_cast<int>(1000 + 17 * j));
  const MatrixF x = transformer.embed(ids);
  MatrixF rows(copies, x.cols()), gradients;
  for (Index k = 0; k < copies; ++k) {
    tokens.push_back(k % n);
    rows.row(k) = x.row((k + 1) % n);
  }
  const auto text = engine.text(x, transformer.config().layers);
  const auto best = [&](MatrixF* wanted) {
    double least = 1e300;
    for (int r = 0; r <= repeats; ++r)
      least = std::min(least, bench::timed([&] { text->distances({tokens, rows}, wanted); }).wall);
    return least / static_cast<double>(copies);
  };
  const double values = best(nullptr), both = best(&gradients);
  const double flops = 2 * transformer.config().forward_flops(n, transformer.config().layers);
  std::printf(
      "{\"model\": \"%s\", \"n\": %ld, \"precision\": \"%s\", \"copies\": %ld, \"values_ms\": %.4f, \"gradients_ms\": "
      "%.4f, \"tflops\": %.1f}\n",
      name.c_str(), static_cast<long>(n), to_string(engine.device().precision).c_str(), static_cast<long>(copies),
      values, both, flops / both / 1e9);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, std::string> options = {
      {"--only", ""}, {"--n", "128,256,512"}, {"--precision", "f32,tf32,bf16"}, {"--copies", "0"}, {"--repeats", "5"}};
  for (int i = 1; i + 1 < count; i += 2) options[arguments[i]] = arguments[i + 1];
  try {
    for (const auto& [name, config] : {std::pair("bert-base", bench::bert_base()), {"mini-lm", bench::mini_lm()}}) {
      if (!options["--only"].empty() && options["--only"] != name) continue;
      const auto transformer = bench::random_transformer(config);
      for (const std::string& precision : split(options["--precision"])) {
        const auto engine = make_cuda_engine(*transformer, precision_named(precision));
        for (const std::string& length : split(options["--n"])) {
          const Index n = std::stol(length), asked = std::stol(options["--copies"]);
          run(name, *transformer, *engine, n, asked > 0 ? asked : engine->batch_rows() / n,
              std::stoi(options["--repeats"]));
        }
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_cuda: %s\n", error.what());
    return 2;
  }
}
