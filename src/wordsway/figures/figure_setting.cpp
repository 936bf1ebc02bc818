#include "wordsway/figures/figure_setting.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/suggestion.h"

namespace wordsway {

Profile parse_profile(const std::string& name) {
  if (name == "quick") return Profile::kQuick;
  if (name == "default") return Profile::kDefault;
  if (name == "full") return Profile::kFull;
  throw UsageError(unknown_name("profile", name, std::vector<std::string>{"quick", "default", "full"}));
}

std::shared_ptr<const LabelledSource> labels_of(const FigureSetting& setting) {
  if (setting.labelled == nullptr)
    throw UsageError(setting.texts->name() +
                     ": the figures on learning need texts with labels 1 and -1; name other figures, or "
                     "give other texts with -i");
  return setting.labelled;
}

Sizes model_dimensions(const FigureSetting& setting) {
  const Index wanted = setting.by_profile<Index>(256, 256, 768), own = setting.transformer->config().hidden_size;
  const Index top = std::min(wanted, own);
  const auto part = [&](Index share) { return std::max<Index>(1, top / share); };
  Sizes result{{part(4), part(2), top}, {}};
  if (top < wanted)
    result.note = fmt::format("the model's embedding has {} coordinates: d = {}, {}, {} stand for {}, {}, {}", own,
                              result.values[0], result.values[1], result.values[2], wanted / 4, wanted / 2, wanted);
  return result;
}

}  // namespace wordsway
