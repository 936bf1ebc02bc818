// Looking words up in the lexicon: by themselves, and in a sentence whose parts of speech have to be found first. The
// limit is 20 µs for a word.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "wordsway/text/lexicon/lexicon.h"
#include "wordsway/text/lexicon/lexicon_table.h"

namespace wordsway {
namespace {

constexpr std::array kWords = {"film", "bought", "slower",       "children", "before",
                               "30",   "Monday", "unbelievably", "xyzzy"};

void word_by_itself(benchmark::State& state) {
  for (auto _ : state)
    for (const char* word : kWords) benchmark::DoNotOptimize(english_lexicon().look_up(word));
  state.counters["per_word"] =
      benchmark::Counter(kWords.size(), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void words_of_a_sentence(benchmark::State& state) {
  const std::string text = "We bought a slower car before the children came, and the film was not good at all.";
  std::vector<ByteRange> places;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    places.push_back({static_cast<Index>(begin), static_cast<Index>(end)});
    begin = end + 1;
  }
  for (auto _ : state) benchmark::DoNotOptimize(english_lexicon().look_up(text, places));
  state.counters["per_word"] = benchmark::Counter(
      static_cast<double>(places.size()), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

// The floor: the search for the word in the table.
void search_in_the_table(benchmark::State& state) {
  const LexiconTable table(lexicon_bytes());
  for (auto _ : state)
    for (const char* word : kWords) benchmark::DoNotOptimize(table.find(word));
  state.counters["per_word"] =
      benchmark::Counter(kWords.size(), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK(word_by_itself)->Unit(benchmark::kMicrosecond);
BENCHMARK(words_of_a_sentence)->Unit(benchmark::kMicrosecond);
BENCHMARK(search_in_the_table)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace wordsway

BENCHMARK_MAIN();
