#include "options/figure_data.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "options/builtin_data.h"
#include "options/model.h"
#include "options/numbers.h"
#include "wordsway/data/embedding_source.h"
#include "wordsway/data/review_source.h"
#include "wordsway/study/measure_study.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway::app {
namespace {

constexpr Index kBuiltinTexts = 20, kBuiltinWords = 260;  // for the model itself as the map

std::vector<LabelledText> builtin_texts() {
  std::vector<LabelledText> texts;
  for (Index k = 0; k < kBuiltinTexts; ++k) {
    const Review review = builtin_review(static_cast<std::uint64_t>(k), kBuiltinWords);
    texts.push_back({review.text, review.label, std::to_string(k)});
  }
  return texts;
}

// On the device where it has the model's attention, else here.
Model open_where_possible(const std::string& folder, const Device& device, const CommonOptions& common) {
  Model model = open_model(folder);
  if (device.is_cpu()) return model;
  if (model.transformer->config().normaliser.is_softmax()) return open_model(folder, device);
  say(common, model.transformer->name() + " stays on the processor: its attention is no softmax");
  return model;
}

}  // namespace

void add_figure_data_options(CLI::App& command, FigureDataOptions& options) {
  command.add_option("--profile", options.profile, "quick, default or full (the paper's sizes)")->capture_default_str();
  add_model_option(command, options.model);
  add_device_options(command, options.device);
  add_corpus_options(command, options.texts);
  add_seed_option(command, options.seed, "Same seed, same figures");
}

void add_builtin_models(FigureSetting& setting) {
  setting.decoder = [device = setting.device] { return open_model(kBuiltinDecoder, device); };
  setting.normalisers = [] {
    std::vector<Model> models;
    for (const std::string& name : normaliser_models()) models.push_back(open_model("builtin-" + name));
    return models;
  };
  setting.normalisers_missing = normalisers_missing();
}

FigureSetting make_figure_setting(const FigureDataOptions& options, const CommonOptions& common) {
  FigureSetting setting;
  setting.profile = parse_profile(options.profile);
  setting.seed = options.seed;
  setting.device = options.device;
  check_map_device({setting.device.kind});  // before anything is read
  const Model model = open_where_possible(options.model, setting.device, common);
  setting.transformer = model.transformer;
  setting.tokenizer = model.tokenizer;
  add_builtin_models(setting);
  const bool builtin = options.texts.input.empty();
  const std::vector<LabelledText> texts = builtin ? builtin_texts() : read_texts(options.texts);
  setting.texts = std::make_shared<const EncodedTexts>(
      encode_corpus(model, builtin ? "builtin" : options.texts.input, texts, common));
  if (builtin) {
    setting.data = review_source(model.transformer, model.tokenizer, options.seed);
    setting.labelled = labelled_review_source(model.transformer, model.tokenizer, options.seed);
    return setting;
  }
  setting.data = embedding_source(model.transformer, *setting.texts);
  std::vector<double> labels;
  for (const LabelledText& text : texts)
    if (text.label) labels.push_back(*text.label);
  if (labels.size() == texts.size())
    setting.labelled = labelled_embedding_source(model.transformer, *setting.texts, std::move(labels), options.seed);
  return setting;
}

}  // namespace wordsway::app
