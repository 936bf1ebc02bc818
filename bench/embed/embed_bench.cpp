// Times texts through a sentence encoder: tokens, forward in batches without padding, pooling.
//
//   bench_embed [--model FOLDER] [--threads T] [--serve]
//
// Without --serve it embeds made-up texts of 18 and 256 tokens with the model, and prints for each the texts per
// second, the gigaflops and which share of the measured peak they are, in batches and one text at a time. With --serve
// it answers requests "FILE" (one text per line) on standard input by "wall processor gigaflops", one run each; "FILE
// OUT.npy" writes the vectors too (bench/scenarios/embed_corpus).
#include <cstdio>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

#include "support/peak.h"
#include "support/timed.h"
#include "wordsway/audit/embed.h"
#include "wordsway/core/freed_memory.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/npy.h"

namespace {

using namespace wordsway;
using bench::Milliseconds;
using bench::timed;

class Encoder {
 public:
  explicit Encoder(const std::string& folder) : model_(load_model(folder)) {
    options_.output = ModelOutput{model_.transformer->config().layers, readout_named("pooled")};
  }

  std::vector<MatrixF> embed(std::span<const LabelledText> texts) const {
    return embed_texts(model_, texts, encode_texts(model_, texts), options_);
  }

  double gigaflops(std::span<const LabelledText> texts) const {
    double sum = 0;
    for (const Encoding& encoding : encode_texts(model_, texts))
      sum += model_.transformer->config().forward_flops(encoding.size(), options_.output->layer);
    return sum * 1e-9;
  }

 private:
  Model model_;
  EmbedOptions options_;
};

void write_vectors(const std::string& file, const std::vector<MatrixF>& vectors) {
  NpyRowWriter<float> writer(file, {vectors.front().cols()}, static_cast<Index>(vectors.size()));
  for (const MatrixF& vector : vectors) writer.append({vector.data(), static_cast<size_t>(vector.size())});
  writer.commit();
}

void serve(const Encoder& encoder) {
  std::map<std::string, std::vector<LabelledText>> corpora;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream request(line);
    std::string file, out;
    request >> file >> out;
    auto& texts = corpora[file];
    if (texts.empty()) texts = read_corpus(file);
    std::vector<MatrixF> vectors;
    const Milliseconds found = timed([&] { vectors = encoder.embed(texts); });
    if (!out.empty()) write_vectors(out, vectors);
    std::printf("%.3f %.3f %.4f\n", found.wall, found.processor, encoder.gigaflops(texts));
    std::fflush(stdout);
  }
}

std::vector<LabelledText> made_up(size_t count, int words) {
  std::vector<LabelledText> texts;
  for (size_t t = 0; t < count; ++t) {
    std::string text;
    for (int w = 0; w < words; ++w) text += w % 3 == 0 ? "the " : w % 3 == 1 ? "film " : "was ";
    texts.push_back({text, std::nullopt, std::to_string(t)});
  }
  return texts;
}

// The shorter of several runs by turns: other programs only ever make a run longer.
void compare(const Encoder& encoder, const std::vector<LabelledText>& texts, double peak) {
  double together = 1e30, alone = 1e30;
  for (int turn = 0; turn < 5; ++turn) {
    together = std::min(together, timed([&] { encoder.embed(texts); }).wall);
    alone = std::min(alone, timed([&] {
                              for (size_t t = 0; t < texts.size(); ++t) encoder.embed(std::span(texts).subspan(t, 1));
                            }).wall);
  }
  const double gigaflops = encoder.gigaflops(texts), count = static_cast<double>(texts.size());
  std::printf(
      "{\"texts\": %zu, \"texts_per_second\": %.1f, \"gflops\": %.1f, \"share_of_peak\": %.2f, \"one_by_one_ms\": "
      "%.2f, "
      "\"together_ms\": %.2f, \"gain\": %.2f}\n",
      texts.size(), 1e3 * count / together, 1e3 * gigaflops / together, 1e3 * gigaflops / together / peak, alone,
      together, alone / together);
}

}  // namespace

int main(int count, char** arguments) {
  keep_freed_memory();  // as the program does
  std::string model = WORDSWAY_SOURCE_MODELS "/builtin";
  int threads = available_threads();
  for (int i = 1; i + 1 < count; ++i) {
    if (std::string(arguments[i]) == "--model") model = arguments[i + 1];
    if (std::string(arguments[i]) == "--threads") threads = std::stoi(arguments[i + 1]);
  }
  set_thread_count(threads);
  const Encoder encoder(model);
  if (std::string(arguments[count - 1]) == "--serve") {
    serve(encoder);
    return 0;
  }
  const double peak = bench::measured_peak_gflops(threads);
  compare(encoder, made_up(256, 16), peak);
  compare(encoder, made_up(24, 254), peak);
}
