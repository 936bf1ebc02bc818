// What figures are made with: the amount of work, the model and the texts.
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

/// Throws UsageError unless the name is quick, default or full.
Profile parse_profile(const std::string& name);

struct FigureSetting {
  Profile profile = Profile::kDefault;
  std::uint64_t seed = 1;
  Device device = {};  // for maps, and for models that run there
  std::shared_ptr<const Transformer> transformer;
  std::shared_ptr<const Tokenizer> tokenizer;
  std::shared_ptr<const EncodedTexts> texts;       // for the model itself as the map
  std::shared_ptr<const DataSource> data;          // the texts' embeddings
  std::shared_ptr<const LabelledSource> labelled;  // with labels; null if the texts have none
  /// The built-in decoder, whatever the model above is, because figures ask the questions it was trained on. Reads it
  /// on demand; throws FileError if it is not there.
  std::function<Model()> decoder;
  /// The built-in encoders that were trained alike except for the normaliser of their attention, also on demand. All
  /// run on the CPU, because the GPU supports only the softmax.
  std::function<std::vector<Model>()> normalisers;
  /// Why these encoders are not there (a package may leave them out); empty if they are.
  std::string normalisers_missing = {};

  /// The value for the profile.
  template <typename T>
  T by_profile(T quick, T normal, T full) const {
    return profile == Profile::kQuick ? quick : profile == Profile::kFull ? full : normal;
  }
};

/// The labelled samples. Throws UsageError if the texts have no labels.
std::shared_ptr<const LabelledSource> labels_of(const FigureSetting& setting);

/// Sizes that a model and its texts allow.
struct Sizes {
  std::vector<Index> values;
  std::string note;  // if they are not what the profile asks for
};

/// Three dimensions, each double the one before, up to 768 in the full profile and 256 in the others, or up to the d of
/// the model if that is less.
Sizes model_dimensions(const FigureSetting& setting);

}  // namespace wordsway
