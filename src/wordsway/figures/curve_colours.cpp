#include "wordsway/figures/curve_colours.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "wordsway/draw/colours.h"

namespace wordsway {
namespace {

struct NamedColour {
  std::string_view name, colour;
};
// As on the page of `serve` (app/page/chart.js). Colour-blind people can tell apart those that meet most (rf, drf, raf,
// raf-relu), and all are dark enough for white paper.
constexpr std::array<NamedColour, 15> kNamedColours = {{{"rf", "#00805d"},
                                                        {"drf", "#a8487f"},
                                                        {"raf", "#0072b2"},
                                                        {"raf, β = 4", "#0e8a9c"},
                                                        {"raf-relu", "#c04f00"},
                                                        {"raf-sigmoid", "#8a6a00"},
                                                        {"raf-softplus", "#6b5bb0"},
                                                        {"raf-elu", "#4d6a80"},
                                                        {"raf-square", "#7a4a21"},
                                                        {"mean of word vectors", "#6b7178"},
                                                        {"encoder", "#222222"},
                                                        {"encoder, all tokens", "#8a6a00"},
                                                        {"decoder", "#7d2a90"},
                                                        {"built-in encoder", "#222222"},
                                                        {"built-in decoder", "#7d2a90"}}};

// The entry with the longest name that the label begins with, followed by a space, a comma, a bracket or the end.
const NamedColour* named_colour(std::string_view label) {
  const NamedColour* found = nullptr;
  for (const NamedColour& entry : kNamedColours) {
    const bool begins = label.starts_with(entry.name) &&
                        (label.size() == entry.name.size() ||
                         std::string_view(" ,(:").find(label[entry.name.size()]) != std::string_view::npos);
    if (begins && (found == nullptr || entry.name.size() > found->name.size())) found = &entry;
  }
  return found;
}

}  // namespace

std::vector<std::string> curve_colours(const std::vector<std::string>& labels) {
  std::vector<std::string> colours;
  for (const std::string& label : labels) {
    const NamedColour* named = named_colour(label);
    const bool is_new = named != nullptr && std::find(colours.begin(), colours.end(), named->colour) == colours.end();
    if (is_new) colours.emplace_back(named->colour);
  }
  if (colours.size() == labels.size()) return colours;
  colours.clear();
  for (size_t k = 0; k < labels.size(); ++k) colours.push_back(palette_colour(k, labels.size()));
  return colours;
}

}  // namespace wordsway
