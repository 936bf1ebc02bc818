// Which word of a text moves a model's pooled vector most?
//
//   measure_words MODEL_FOLDER "the film was not good"
#include <cstdio>

#include <wordsway/wordsway.h>

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: measure_words MODEL_FOLDER TEXT\n"), 2;
  try {
    const wordsway::Model model = wordsway::load_model(argv[1]);
    wordsway::WordOptions options;
    options.change.output = wordsway::parse_layer("pooled", *model.transformer);
    for (const auto& found : wordsway::word_effects(model, argv[2], options))
      std::printf("%-12s %.3f  worst: %s\n", found.word.text.c_str(), found.typical ? found.typical->change : 0,
                  found.worst_word.value_or("-").c_str());
  } catch (const wordsway::Error& error) {
    return std::fprintf(stderr, "%s\n", error.what()), 1;
  }
  return 0;
}
