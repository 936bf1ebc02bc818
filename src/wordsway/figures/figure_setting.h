// What figures are made with: how much work, which model, which texts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wordsway/audit/model.h"
#include "wordsway/core/device.h"
#include "wordsway/data/data_source.h"
#include "wordsway/data/labelled_source.h"
#include "wordsway/model/transformer.h"
#include "wordsway/text/corpus/encoded_texts.h"

namespace wordsway {

/// How much work: a check of everything, a laptop's minutes, or the paper's sizes.
enum class Profile { kQuick, kDefault, kFull };

/// Throws UsageError on another name than quick, default, full.
Profile parse_profile(const std::string& name);

struct FigureSetting {
  Profile profile = Profile::kDefault;
  std::uint64_t seed = 1;
  Device device = {};  // of maps, and of models whose engine it is
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<const EncodedTexts> texts;       // for the model itself as the map
  std::shared_ptr<const DataSource> data;          // the texts' embeddings
  std::shared_ptr<const LabelledSource> labelled;  // the same with labels; none where texts have none
  /// The built-in decoder, whatever the model above is: the questions that figures ask are its own. It is read where a
  /// figure asks for it; throws FileError where it is not there.
  std::function<Model()> decoder;
  /// The built-in encoders that were trained alike but for the normaliser of their attention, likewise; all on the
  /// processor, since a device has the softmax alone.
  std::function<std::vector<Model>()> normalisers;
  /// Why these encoders are not there, since a package may leave them out; empty where they are.
  std::string normalisers_missing = {};

  /// The value for the profile.
  template <typename T>
  T by_profile(T quick, T normal, T full) const {
    return profile == Profile::kQuick ? quick : profile == Profile::kFull ? full : normal;
  }
};

/// The labelled samples. Throws UsageError when the texts have no labels.
std::shared_ptr<const LabelledSource> labels_of(const FigureSetting& setting);

/// Sizes as a model and its texts allow them.
struct Sizes {
  std::vector<Index> values;
  std::string note;  // when they are not what the profile asks for
};

/// Three dimensions that double, to 768 in the full profile and to 256 in the others; to the model's own d when that is
/// less.
Sizes model_dimensions(const FigureSetting& setting);

}  // namespace wordsway
