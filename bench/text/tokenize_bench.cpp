// 10,000 reviews of IMDb's length through the tokenizer, and through the JSON that `wordsway tokenize` writes. The
// limit is 3 s for both together. Texts are built-in reviews of 230 words, IMDb's mean.
#include <benchmark/benchmark.h>

#include "wordsway/text/reviews/builtin_reviews.h"
#include "wordsway/text/tokenizer/encoding_json.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {
namespace {

constexpr size_t kReviews = 10'000;
constexpr Index kWords = 230;

const std::vector<std::string>& texts() {
  static const std::vector<std::string> made = [] {
    std::vector<std::string> result(kReviews);
    for (size_t k = 0; k < kReviews; ++k) result[k] = builtin_review(k, kWords).text;
    return result;
  }();
  return made;
}

void tokenize(benchmark::State& state, const std::string& folder) {
  const auto tokenizer = load_tokenizer(folder);
  const auto& reviews = texts();
  double tokens = 0, bytes = 0;
  for (const std::string& review : reviews) bytes += static_cast<double>(review.size());
  for (auto _ : state) {
    const auto encodings = encode_all(*tokenizer, reviews, {});
    tokens = 0;
    std::string json;
    for (const Encoding& encoding : encodings) {
      tokens += static_cast<double>(encoding.ids.size());
      if (state.range(0) == 1) append_json(json, encoding);
    }
    benchmark::DoNotOptimize(json.data());
  }
  state.counters["reviews"] = static_cast<double>(reviews.size());
  state.counters["tokens"] = tokens;
  state.counters["MB_per_s"] = benchmark::Counter(bytes * 1e-6, benchmark::Counter::kIsIterationInvariantRate);
}

void wordpiece(benchmark::State& state) {
  tokenize(state, WORDSWAY_SOURCE_MODELS "/builtin");
}

// Uses the map of XLM-R's normaliser and 900 pieces, so that words split into more of them than with XLM-R's 250,000.
void unigram(benchmark::State& state) {
  tokenize(state, WORDSWAY_SOURCE_MODELS "/../tests/golden/tokenizers/unigram");
}

BENCHMARK(wordpiece)->ArgName("json")->Arg(0)->Arg(1)->Unit(benchmark::kSecond)->UseRealTime();
BENCHMARK(unigram)->ArgName("json")->Arg(0)->Arg(1)->Unit(benchmark::kSecond)->UseRealTime();

}  // namespace
}  // namespace wordsway

BENCHMARK_MAIN();
