#include "wordsway/figures/figure_setting.h"

#include <algorithm>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

Profile parse_profile(const std::string& name) {
  if (name == "quick") return Profile::kQuick;
  if (name == "default") return Profile::kDefault;
  if (name == "full") return Profile::kFull;
  throw UsageError("unknown profile '" + name + "'; there are: quick, default, full");
}

Dimensions model_dimensions(const FigureSetting& setting) {
  const Index wanted = setting.by_profile<Index>(128, 256, 768), own = setting.encoder->config().hidden_size;
  const Index top = std::min(wanted, own);
  const auto part = [&](Index share) { return std::max<Index>(1, top / share); };
  Dimensions result{{part(4), part(2), top}, {}};
  if (top < wanted)
    result.note = fmt::format("the model's embedding has {} coordinates: d = {}, {}, {} stand for {}, {}, {}", own,
                              result.d[0], result.d[1], result.d[2], wanted / 4, wanted / 2, wanted);
  return result;
}

}  // namespace wordsway
