// Times a decoder: reading a prompt, the next token after it, and a forward with the gradient by the embedding.
//
//   bench_decoder FOLDER|FILE.gguf [THREADS]
//
// Answers requests on standard input, one run each, so that somebody else can let several engines run by turns
// (bench/scenarios/decoder):
//   prompt N     milliseconds to read N tokens into an empty cache, with the logits of the last
//   token N      the same for one token after N that are in the cache
//   forward N, gradient N   a forward over N tokens that keeps nothing, and one with the gradient of ½‖h‖² by the
//   embedding flops N      gigaflops of reading N tokens weights      megabytes of the weights in memory peak,
//   bandwidth   gigaflops and gigabytes per second that all threads reach at best, measured now
#include <cstdio>
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
#include "wordsway/model/transformer.h"

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

  double answer(const std::string& kind, Index n) {
    if (kind == "prompt") return bench::timed([&] { read_prompt(n); }).wall;
    if (kind == "token") return next_token(n);
    if (kind == "forward") return bench::timed([&] { transformer_->forward(embedded(n), layers()); }).wall;
    if (kind == "gradient") return bench::timed([&] { gradient(n); }).wall;
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

  std::unique_ptr<Transformer> transformer_;
  std::map<Index, KeyValueCache> prompts_;
  TransformerTrace trace_;
};

}  // namespace
}  // namespace wordsway

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("bench_decoder FOLDER|FILE.gguf [THREADS]\n", stderr);
    return 2;
  }
  wordsway::keep_freed_memory();  // as the program does
  if (count > 2) wordsway::set_thread_count(std::stoi(arguments[2]));
  wordsway::Decoder decoder(arguments[1]);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::string kind;
    wordsway::Index n = 0;
    request >> kind >> n;
    std::printf("%.4f\n", decoder.answer(kind, n));
    std::fflush(stdout);
  }
}
