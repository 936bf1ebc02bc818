#include "output/chart_fonts.h"

#include <fmt/format.h>

#include "wordsway/core/utf8.h"
#include "wordsway/figures/fonts.h"

namespace wordsway::app {

void tell_missing_fonts(const std::string& chart, const std::vector<LabelledText>& texts, const CommonOptions& common) {
  if (common.quiet || chart.empty() || chart.ends_with(".svg")) return;
  std::string all;
  for (const LabelledText& text : texts) all += text.text;
  const std::u32string missing = characters_without_font(all);
  if (missing.empty()) return;
  constexpr size_t kMostShown = 8;
  std::string shown;
  for (const char32_t character : missing.substr(0, kMostShown)) unicode::append_utf8(shown, character);
  say(common,
      fmt::format("no font of this machine has some characters of the chart ({}{}), which it shows as '?'; an .svg "
                  "shows them with the fonts of its reader (Debian: apt install fonts-wqy-microhei "
                  "fonts-lohit-deva fonts-symbola)",
                  shown, missing.size() > kMostShown ? "…" : ""));
}

}  // namespace wordsway::app
