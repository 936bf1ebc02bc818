// Times the built-in pairs through an encoder: the whole audit, the similarities at the end alone, and the floor that
// the flops and the measured peak set.
//
//   bench_pairs [MODEL_FOLDER]
//
// Both ways by turns; the shortest of three runs each, because other programs only ever make a run longer.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>

#include "support/peak.h"
#include "wordsway/audit/pair_audit.h"
#include "wordsway/core/freed_memory.h"
#include "wordsway/core/parallel.h"
#include "wordsway/text/pairs/builtin_pairs.h"

namespace {

using namespace wordsway;

double seconds_of(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int count, char** arguments) {
  keep_freed_memory();  // as the program does
  const Model model = load_model(count > 1 ? arguments[1] : WORDSWAY_SOURCE_MODELS "/builtin");
  const std::vector<TextPair>& pairs = builtin_pairs();
  const std::vector<std::string> texts = distinct_texts(pairs);
  const ModelConfig& config = model.transformer->config();
  double flops = 0;
  Index tokens = 0;
  for (const std::string& text : texts) {
    const Index n = model.tokenizer->encode(text).size();
    flops += config.forward_flops(n, config.layers);
    tokens += n;
  }
  const double peak = bench::measured_peak_gflops(available_threads());
  double audit = 1e30, vectors = 1e30;
  for (int turn = 0; turn < 3; ++turn) {
    audit = std::min(audit, seconds_of([&] { audit_pairs(model, pairs, {}); }));
    vectors = std::min(vectors, seconds_of([&] { unit_vectors(model, texts); }));
  }
  std::printf(
      "{\"model\": \"%s\", \"pairs\": %zu, \"texts\": %zu, \"tokens\": %ld, \"audit_s\": %.2f, \"vectors_s\": %.2f, "
      "\"floor_s\": %.2f, \"share_of_peak\": %.2f}\n",
      model.transformer->name().c_str(), pairs.size(), texts.size(), static_cast<long>(tokens), audit, vectors,
      flops * 1e-9 / peak, flops * 1e-9 / peak / audit);
  return 0;
}
