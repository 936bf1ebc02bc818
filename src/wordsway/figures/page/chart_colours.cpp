#include "wordsway/figures/page/chart_colours.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

namespace wordsway {
namespace {

constexpr Rgb kDarkCard = {0x1a, 0x1e, 0x22}, kInk = {0xe7, 0xe5, 0xe0};  // --card and --ink of the dark page
constexpr double kContrast = 4.0;

double luminance(const Rgb& colour) {
  constexpr std::array<double, 3> kWeights = {0.2126, 0.7152, 0.0722};
  double sum = 0;
  for (size_t c = 0; c < 3; ++c) {
    const double value = colour[c] / 255.0;
    sum += kWeights[c] * (value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4));
  }
  return sum;
}

Rgb mix(const Rgb& a, const Rgb& b, double share_of_b) {
  Rgb result{};
  for (size_t c = 0; c < 3; ++c) result[c] = static_cast<int>(std::lround((1 - share_of_b) * a[c] + share_of_b * b[c]));
  return result;
}

}  // namespace

std::optional<Rgb> parse_colour(std::string_view text) {
  if (text == "black") return Rgb{0, 0, 0};
  const std::string copy(text);
  std::array<unsigned, 3> parts{};
  char rest = 0;
  const bool read =
      (copy.size() == 7 && std::sscanf(copy.c_str(), "#%2x%2x%2x%c", &parts[0], &parts[1], &parts[2], &rest) == 3) ||
      std::sscanf(copy.c_str(), "rgb(%u ,%u ,%u %c", &parts[0], &parts[1], &parts[2], &rest) == 4;
  if (!read || std::any_of(parts.begin(), parts.end(), [](unsigned part) { return part > 255; })) return std::nullopt;
  return Rgb{static_cast<int>(parts[0]), static_cast<int>(parts[1]), static_cast<int>(parts[2])};
}

Rgb on_dark_page(const Rgb& colour) {
  if (colour[0] == colour[1] && colour[1] == colour[2]) return mix(kInk, kDarkCard, colour[0] / 255.0);
  Rgb result = colour;
  for (int share = 5; contrast(result, kDarkCard) < kContrast; share += 5)
    result = mix(colour, {255, 255, 255}, share / 100.0);
  return result;
}

std::string hexadecimal(const Rgb& colour) {
  return fmt::format("{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

double contrast(const Rgb& a, const Rgb& b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

}  // namespace wordsway
