#include "shell/figure_input.h"

#include <fmt/format.h>

#include "shell/builtin_models.h"
#include "shell/models.h"
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

// Opens the model on the device if it supports the model's attention, otherwise on the CPU.
Model open_where_possible(const std::string& folder, const Device& device, Context& context) {
  Model model = open_model(folder);
  if (device.is_cpu()) return model;
  if (model.transformer->config().normaliser.is_softmax()) return open_model(folder, device);
  context.warn(model.transformer->name() + " stays on the CPU: its attention is not a softmax");
  return model;
}

}  // namespace

void FigureInput::describe(Fields<FigureInput>& fields) {
  fields.text("profile", &FigureInput::profile, "quick, default or full (the paper's sizes)")
      .choices({"quick", "default", "full"}, false);
  fields.include(&FigureInput::model);
  fields.include(&FigureInput::texts, TextInput::Parts{.arguments = false, .selection = false});
  fields.include(&FigureInput::seed, "Same seed, same figures");
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

FigureSetting make_figure_setting(const FigureInput& input, Context& context) {
  FigureSetting setting;
  setting.profile = parse_profile(input.profile);
  setting.seed = input.seed.seed;
  setting.device = input.model.device;
  check_map_device({setting.device.kind});  // before anything is read
  const Model model = open_where_possible(input.model.model.name, setting.device, context);
  setting.transformer = model.transformer;
  setting.tokenizer = model.tokenizer;
  add_builtin_models(setting);
  const bool builtin = input.texts.input.empty();
  const std::vector<LabelledText> texts = builtin ? builtin_texts() : read_texts(input.texts);
  setting.texts = std::make_shared<const EncodedTexts>(
      encode_corpus(model, builtin ? "builtin" : input.texts.input, texts, context));
  if (builtin) {
    setting.data = review_source(model.transformer, model.tokenizer, setting.seed);
    setting.labelled = labelled_review_source(model.transformer, model.tokenizer, setting.seed);
    return setting;
  }
  setting.data = embedding_source(model.transformer, *setting.texts);
  std::vector<double> labels;
  for (const LabelledText& text : texts)
    if (text.label) labels.push_back(*text.label);
  if (labels.size() == texts.size())
    setting.labelled = labelled_embedding_source(model.transformer, *setting.texts, std::move(labels), setting.seed);
  return setting;
}

}  // namespace wordsway::app
