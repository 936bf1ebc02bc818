#include "wordsway/figures/bands.h"

#include <string_view>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {

Bands parse_bands(const std::string& name) {
  if (name == "deviation") return Bands::kDeviation;
  if (name == "error") return Bands::kStandardError;
  if (name == "interval") return Bands::kInterval;
  throw UsageError(fmt::format("bands are deviation, error or interval; got '{}'", name));
}

std::string with_bands(std::string note, Bands bands) {
  constexpr std::string_view kUsual = "one standard deviation";
  const size_t at = note.find(kUsual);
  if (bands == Bands::kDeviation || at == std::string::npos) return note;
  return note.replace(at, kUsual.size(),
                      bands == Bands::kInterval ? "the 95% interval of the mean" : "one standard error");
}

}  // namespace wordsway
