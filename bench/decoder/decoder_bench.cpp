// Times a decoder: reading a prompt, the next token after it, and a forward with the gradient by the embedding.
//
//   bench_decoder FOLDER|FILE.gguf [THREADS]
//   bench_decoder products [THREADS]
//
// The second times products with quantised weights beside those with f16, by turns: a line for each type and number of
// rows, with the median of the ratios of neighbours in processor time, and the bytes of the weights that it goes
// through in a second beside those that a plain reading of an array does.
//
// Answers requests on standard input, one run each, so that somebody else can let several engines run by turns
// (bench/scenarios/decoder):
//   prompt N     milliseconds to read N tokens into an empty cache, with the logits of the last
//   token N      the same for one token after N that are in the cache
//   forward N, gradient N   a forward over N tokens that keeps nothing, and one with the gradient of ½‖h‖² by the
//                embedding
//   moves N T    processor time of one of 32 moves of token T in a text of N, evaluated together, with gradients
//   flops N      gigaflops of reading N tokens
//   weights      megabytes of the weights in memory
//   peak, bandwidth   gigaflops and gigabytes per second that all threads reach at best, measured now
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/peak.h"
#include "support/roofs.h"
#include "support/timed.h"
#include "wordsway/core/freed_memory.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/model/model_map.h"
#include "wordsway/random/gaussian.h"

namespace wordsway {
namespace {

std::vector<int> some_ids(const Transformer& transformer, Index n) {
  std::vector<int> ids(static_cast<size_t>(n));
  for (size_t k = 0; k < ids.size(); ++k) ids[k] = static_cast<int>((100 + 17 * k) % transformer.config().vocabulary);
  return ids;
}

class Decoder {
 public:
  explicit Decoder(const std::string& path) : transformer_(Transformer::load(path)) {}

  double answer(const std::string& kind, Index n, Index token) {
    if (kind == "prompt") return bench::timed([&] { read_prompt(n); }).wall;
    if (kind == "token") return next_token(n);
    if (kind == "forward") return bench::timed([&] { transformer_->forward(embedded(n), layers()); }).wall;
    if (kind == "gradient") return bench::timed([&] { gradient(n); }).wall;
    if (kind == "moves") return moves(n, token);
    if (kind == "flops") return transformer_->config().forward_flops(n, layers()) * 1e-9;
    if (kind == "weights") return transformer_->weight_bytes() / 1e6;
    if (kind == "peak") return bench::measured_peak_gflops(available_threads());
    if (kind == "bandwidth") return bench::read_bandwidth_of_threads(1e9, available_threads()) * 1e-9;
    return -1;
  }

 private:
  Index layers() const { return transformer_->config().layers; }
  MatrixF embedded(Index n) const { return transformer_->embed(some_ids(*transformer_, n)); }

  KeyValueCache read_prompt(Index n) const {
    KeyValueCache cache = transformer_->make_cache();
    const MatrixF rows = transformer_->extend(some_ids(*transformer_, n), cache);
    transformer_->logits(rows.bottomRows(1));
    return cache;
  }

  double next_token(Index n) {
    auto found = prompts_.find(n);
    if (found == prompts_.end()) found = prompts_.emplace(n, read_prompt(n)).first;
    KeyValueCache cache = found->second;
    const std::vector<int> id = {7};
    transformer_->extend(id, cache);  // room for more
    return bench::timed([&] { transformer_->logits(transformer_->extend(id, cache)); }).wall;
  }

  void gradient(Index n) {
    const MatrixF y = transformer_->forward(embedded(n), layers(), {}, trace_);
    transformer_->vjp(trace_, y);
  }

  double moves(Index n, Index token) const {
    constexpr Index kMoves = 32;
    const ModelMap map(transformer_, {layers()});
    const auto sample = map.at(embedded(n).cast<double>());
    const auto change = sample->token(token)->change();
    Matrix deltas(kMoves, sample->X().cols()), gradients;
    for (Index k = 0; k < kMoves; ++k)
      deltas.row(k) = gaussian_vector(Stream(1).derive(static_cast<std::uint64_t>(k)), deltas.cols()).transpose();
    change->values(deltas, &gradients);  // room for traces
    return bench::timed([&] { change->values(deltas, &gradients); }).processor / static_cast<double>(kMoves);
  }

  std::shared_ptr<const Transformer> transformer_;
  std::map<Index, KeyValueCache> prompts_;
  TransformerTrace trace_;
};

// Eight matrices of random weights of one type: more than caches hold, as the weights of a model are.
std::vector<PackedWeights> random_weights(const std::string& type) {
  constexpr Index kMatrices = 8, kRows = 4096, kColumns = 4096;
  const GgufType& blocks = *find_gguf_type(type);
  std::vector<PackedWeights> result;
  for (Index m = 0; m < kMatrices; ++m) {
    const auto fill = [&](Index first, Index count, std::span<std::byte> bytes) {
      auto random = static_cast<std::uint32_t>(1 + first + count + kRows * m);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>((random = random * 1664525U + 1013904223U) >> 24U);
      // Half floats of ordinary size: every value of F16, the scales of blocks.
      const size_t halves = type == "Q4_K" || type == "Q5_K" ? 2 : 1;
      for (size_t at = type == "Q6_K" ? 208 : 0; at < bytes.size(); at += blocks.block_bytes)
        for (size_t half = 0; half < halves; ++half)
          bytes[at + 2 * half + 1] = (bytes[at + 2 * half + 1] & std::byte{0x83}) | std::byte{0x24};
    };
    result.push_back(PackedWeights::as_stored({{type, kRows, kColumns, fill}}));
  }
  return result;
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

void time_products() {
  constexpr int kTurns = 9;
  const std::vector<std::string> types{"F16", "Q8_0", "Q4_0", "Q4_K", "Q5_K", "Q6_K"};
  std::vector<std::vector<PackedWeights>> weights;
  for (const std::string& type : types) weights.push_back(random_weights(type));
  for (const Index rows : {1, 8, 128}) {
    const MatrixF x = MatrixF::Random(rows, weights[0][0].inputs());
    MatrixF y(rows, weights[0][0].outputs());
    std::vector<std::vector<double>> took(types.size()), processor(types.size()), ratios(types.size());
    std::vector<double> reading;
    for (int turn = -1; turn < kTurns; ++turn) {
      for (size_t t = 0; t < types.size(); ++t) {
        const auto ms = bench::timed([&] {
          for (const PackedWeights& one : weights[t]) one.forward(x, {}, y);
        });
        if (turn < 0) continue;  // warms up
        took[t].push_back(ms.wall);
        processor[t].push_back(ms.processor);
      }
      if (turn < 0) continue;
      for (size_t t = 0; t < types.size(); ++t) ratios[t].push_back(processor[t].back() / processor[0].back());
      reading.push_back(bench::read_bandwidth_of_threads(2.5e8, available_threads()) * 1e-9);
    }
    for (size_t t = 0; t < types.size(); ++t) {
      double bytes = 0, values = 0;
      for (const PackedWeights& one : weights[t]) bytes += static_cast<double>(one.bytes());
      for (const PackedWeights& one : weights[t]) values += static_cast<double>(one.size());
      const double ms = median(took[t]);
      std::printf(
          "%-4s %3ld rows: %7.2f ms, processor %7.2f ms, %.2f of f16; %5.1f GB/s of weights, %.2f of the bandwidth; "
          "%5.1f GF/s\n",
          types[t].c_str(), static_cast<long>(rows), ms, median(processor[t]), median(ratios[t]), bytes / ms * 1e-6,
          bytes / ms * 1e-6 / median(reading), 2e-6 * static_cast<double>(rows) * values / ms);
    }
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace wordsway

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("bench_decoder FOLDER|FILE.gguf|products [THREADS]\n", stderr);
    return 2;
  }
  wordsway::keep_freed_memory();  // as the program does
  if (count > 2) wordsway::set_thread_count(std::stoi(arguments[2]));
  if (std::strcmp(arguments[1], "products") == 0) {
    wordsway::time_products();
    return 0;
  }
  wordsway::Decoder decoder(arguments[1]);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::string kind;
    wordsway::Index n = 0, token = 0;
    request >> kind >> n >> token;
    std::printf("%.4f\n", decoder.answer(kind, n, token));
    std::fflush(stdout);
  }
}
