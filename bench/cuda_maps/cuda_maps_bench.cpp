// Times random maps on the CUDA device: features of raf, steps of its ascent, whole measurements of rf, and simulations
// of `wordsway generalize`.
//
//   bench_cuda_maps [--n 4096,65536] [--d 768] [--tokens 1] [--moves 1,4] [--repeats 5] [--rf 150] [--learn 120]
//                   [--train-size 1300]
//
// Prints one JSON object per line. Of features: seconds for all that a sample of raf needs, copies to and from the
// device and what the processor does included; device_seconds without these; and the TFLOP/s of the products, 4n²d, in
// double, over the latter. Of a step (value and gradient of that many moves
// at once): milliseconds, and the share of the measured copy bandwidth at which it reads X twice and φ once, which is
// the least it can do. Of rf: seconds for ten trials of n tokens. In both, --tokens of them move together. Of a
// simulation: seconds of its parts, on the device and off it, and the TFLOP/s of features (with the drawing of weights,
// for rf) and kernel. An empty list, as in --n "", leaves a part out.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/timed.h"
#include "wordsway/core/error.h"
#include "wordsway/cuda/cuda_maps.h"
#include "wordsway/maps/map_registry.h"
#include "wordsway/random/gaussian.h"
#include "wordsway/sensitivity/sensitivity.h"
#include "wordsway/study/generalize_study.h"

namespace {

using namespace wordsway;

std::vector<Index> sizes(const std::string& list) {
  std::vector<Index> items;
  std::stringstream from(list);
  for (std::string item; std::getline(from, item, ',');) items.push_back(std::stol(item));
  return items;
}

std::unique_ptr<FeatureMap> draw(const std::string& name, Index n, Index d, std::uint64_t trial) {
  MapOptions options;
  options.n = n;
  options.d = d;
  options.keep_weights = true;
  return map_on_cuda(map_registry().get(name).draw(options, Stream(1).derive(trial)));
}

double least_seconds(int repeats, const std::function<void()>& body) {
  double least = 1e300;
  for (int r = 0; r <= repeats; ++r) least = std::min(least, bench::timed(body).wall / 1e3);
  return least;
}

struct Steps {
  Index tokens = 1;          // that move together
  std::vector<Index> moves;  // at once
  int repeats = 1;
};

void run_raf(Index n, Index d, const Steps& asked, double bandwidth) {
  const Matrix X = gaussian_matrix(Stream(2), n, d, 1);
  const auto map = draw("raf", n, d, 0);
  std::unique_ptr<MappedSample> sample;
  const double seconds = least_seconds(n > 200'000 ? 0 : asked.repeats, [&] {
    sample.reset();
    sample = map->at(X);
  });
  const double on_device = cuda_attention_seconds();
  const double nd = static_cast<double>(n) * static_cast<double>(d);
  std::printf(
      "{\"what\": \"features\", \"map\": \"raf\", \"n\": %ld, \"d\": %ld, \"seconds\": %.4f, \"device_seconds\": "
      "%.4f, \"tflops\": %.1f}\n",
      static_cast<long>(n), static_cast<long>(d), seconds, on_device,
      4 * nd * static_cast<double>(n) / on_device / 1e12);
  std::fflush(stdout);
  std::unique_ptr<TokenView> view;
  const auto moved = tokens_from(0, asked.tokens, n, false);
  const double token_seconds = bench::timed([&] { view = sample->tokens(moved); }).wall / 1e3;
  const auto f = view->change();
  for (const Index count : asked.moves) {
    Matrix deltas = gaussian_matrix(Stream(3), count, f->dimension(), 1), gradients;
    const double step = least_seconds(asked.repeats, [&] { f->values(deltas, &gradients); });
    std::printf(
        "{\"what\": \"step\", \"map\": \"raf\", \"n\": %ld, \"d\": %ld, \"tokens\": %ld, \"moves\": %ld, \"ms\": %.4f, "
        "\"of_copy_bandwidth\": %.3f, \"token_seconds\": %.3f}\n",
        static_cast<long>(n), static_cast<long>(d), static_cast<long>(asked.tokens), static_cast<long>(count),
        step * 1e3, 3 * 8 * nd / step / bandwidth, token_seconds);
    std::fflush(stdout);
  }
}

void run_rf(Index n, Index d, Index tokens) {
  double total = 0;
  long evaluations = 0;
  for (std::uint64_t trial = 0; trial < 10; ++trial) {
    const Matrix X = gaussian_matrix(Stream(2).derive(trial), n, d, 1);
    total += bench::timed([&] {
               const auto map = draw("rf", n, d, trial);
               const auto sample = map->at(X);
               for_each_search(*sample, 1, [&](Index) {
                 evaluations += measure_together(*sample, tokens_from(0, tokens, n, false), {}, Stream(4)).evaluations;
               });
             }).wall /
             1e3;
  }
  std::printf(
      "{\"what\": \"ten trials\", \"map\": \"rf\", \"n\": %ld, \"d\": %ld, \"tokens\": %ld, \"evaluations\": %ld, "
      "\"seconds\": %.3f}\n",
      static_cast<long>(n), static_cast<long>(d), static_cast<long>(tokens), evaluations, total);
}

// Products to make the features of N training samples.
double feature_flops(const std::string& map, double N, double n, double d) {
  if (map == "rf") return n * d * N * (2 * N + 2 * d) + N * N * (n - 1) * d;  // and the Gram matrix of the samples
  return N * n * (2 * d * d + 4 * n * d);
}

void run_simulation(const std::string& map, Index n, Index d, Index training_size) {
  GeneralizeConfig config;
  config.maps = {map};
  config.n = {n};
  config.d = {d};
  config.training_sizes = {training_size};
  config.trials = 2;
  config.device.kind = DeviceKind::kCuda;
  config.data = synthetic_labelled_source("spiked:0.3", "halfspace", 1);
  Simulation done;
  config.observe = [&](const Simulation& simulation) { done = simulation; };
  const GeneralizeStudy study(config);
  for (Index task = 0; task < study.size(); ++task) study.run(task);  // the first one loads kernels
  const LearningTimes& t = done.result.times;
  const double N = static_cast<double>(training_size), k = static_cast<double>(n * d);
  const double making = t.features + (map == "rf" ? done.draw_seconds : 0);
  long evaluations = 0;
  for (const Outcome& outcome : done.result.outcomes) evaluations += outcome.evaluations;
  std::printf(
      "{\"what\": \"simulation\", \"map\": \"%s\", \"n\": %ld, \"d\": %ld, \"train_size\": %ld, \"seconds\": %.3f, "
      "\"draw\": %.4f, \"features\": %.4f, \"kernel\": %.4f, \"factor\": %.4f, \"products\": %.4f, \"search\": %.4f, "
      "\"evaluations\": %ld, \"feature_tflops\": %.1f, \"kernel_tflops\": %.1f, \"samples\": %.3f}\n",
      map.c_str(), static_cast<long>(n), static_cast<long>(d), static_cast<long>(training_size),
      done.draw_seconds + t.features + t.kernel + t.factor + t.products + t.search, done.draw_seconds, t.features,
      t.kernel, t.factor, t.products, t.search, evaluations,
      feature_flops(map, N, static_cast<double>(n), static_cast<double>(d)) / making / 1e12,
      N * N * k / t.kernel / 1e12, done.data_seconds);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  std::map<std::string, std::string> options = {{"--n", "4096,65536"}, {"--d", "768"},          {"--tokens", "1"},
                                                {"--moves", "1,4"},    {"--repeats", "5"},      {"--rf", "150"},
                                                {"--learn", "120"},    {"--train-size", "1300"}};
  for (int i = 1; i + 1 < count; i += 2) options[arguments[i]] = arguments[i + 1];
  try {
    const double bandwidth = cuda_copy_bandwidth();
    std::printf("{\"what\": \"copy\", \"gigabytes_per_second\": %.0f}\n", bandwidth / 1e9);
    const Index d = std::stol(options["--d"]);
    Steps asked;
    asked.tokens = std::stol(options["--tokens"]);
    asked.moves = sizes(options["--moves"]);
    asked.repeats = std::stoi(options["--repeats"]);
    for (const Index n : sizes(options["--n"])) run_raf(n, d, asked, bandwidth);
    for (const Index n : sizes(options["--rf"])) run_rf(n, d, asked.tokens);
    for (const Index n : sizes(options["--learn"]))
      for (const char* map : {"raf", "rf"}) run_simulation(map, n, d, std::stol(options["--train-size"]));
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_cuda_maps: %s\n", error.what());
    return 2;
  }
  return 0;
}
