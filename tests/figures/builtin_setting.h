// The built-in model with its reviews, as `wordsway reproduce` sets figures up without a network.
#pragma once

#include "support/places.h"
#include "wordsway/data/review_source.h"
#include "wordsway/figures/figure_setting.h"
#include "wordsway/text/reviews/builtin_reviews.h"

namespace wordsway::test {

inline FigureSetting builtin_setting(Profile profile, const Device& device = {}) {
  static const auto folder = source_folder() / "models/builtin";
  static const std::shared_ptr<const Transformer> transformer = Transformer::load(folder);
  FigureSetting setting;
  setting.profile = profile;
  setting.device = device;
  setting.transformer = device.is_cpu() ? transformer : load_model(folder, device).transformer;
  setting.tokenizer = load_tokenizer(folder);
  std::vector<std::vector<int>> ids;
  for (std::uint64_t k = 0; k < 10; ++k) ids.push_back(setting.tokenizer->encode(builtin_review(k, 260).text).ids);
  setting.texts = std::make_shared<const EncodedTexts>("builtin", setting.tokenizer, std::move(ids));
  setting.data = review_source(setting.transformer, setting.tokenizer, 1);
  setting.labelled = labelled_review_source(setting.transformer, setting.tokenizer, 1);
  setting.decoder = [device] { return load_model(source_folder() / "models/builtin-decoder", device); };
  setting.normalisers = [] {
    static const std::vector<Model> models = [] {
      std::vector<Model> all;
      for (const char* name : {"softmax-0.25", "softmax-1", "softmax-4", "sigmoid", "relu", "square"})
        for (const char* seed : {"-seed-1", "-seed-2"})
          all.push_back(load_model(source_folder() / "models/normalisers" / (std::string(name) + seed)));
      return all;
    }();
    return models;
  };
  return setting;
}

}  // namespace wordsway::test
