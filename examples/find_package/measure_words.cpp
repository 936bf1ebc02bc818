// Which word of a text moves a model's pooled vector most?
//
//   measure_words MODEL_FOLDER "the film was not good"
#include <cstdio>

#include <wordsway/wordsway.h>

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: measure_words MODEL_FOLDER TEXT\n"), 2;
  try {
    const wordsway::Model model = wordsway::load_model(argv[1]);
    const std::string text = argv[2];
    wordsway::WordOptions options;
    options.output = wordsway::parse_layer("pooled", *model.transformer);
    options.search.radius = {0.1};  // in units of √d
    for (const auto& found : wordsway::word_sensitivities(model, text, model.tokenizer->encode(text), options))
      std::printf("%-12s %.3f\n", found.word.text.c_str(), found.sensitivity);
  } catch (const wordsway::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
  return 0;
}
