#include "wordsway/draw/colours.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace wordsway {
namespace {

constexpr Rgb kDarkCard = {0x1a, 0x1e, 0x22}, kInk = {0xe7, 0xe5, 0xe0};  // --card and --ink of the dark page
constexpr double kContrast = 5.5;

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

// The colour at a position, 0 to 1, along evenly spaced stops.
template <size_t N>
Rgb between(const std::array<Rgb, N>& stops, double position) {
  const double place = std::clamp(position, 0.0, 1.0) * (N - 1);
  const size_t low = std::min(static_cast<size_t>(place), N - 2);
  return mix(stops[low], stops[low + 1], place - static_cast<double>(low));
}

}  // namespace

std::optional<Rgb> parse_colour(std::string_view text) {
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  Rgb colour{};
  for (size_t c = 0; c < 3; ++c) {
    const char *begin = text.data() + 1 + 2 * c, *end = begin + 2;
    if (*begin == '-' || std::from_chars(begin, end, colour[c], 16).ptr != end) return std::nullopt;
  }
  return colour;
}

std::string hexadecimal(const Rgb& colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]);
}

Rgb on_dark_page(const Rgb& colour) {
  if (colour[0] == colour[1] && colour[1] == colour[2]) return mix(kInk, kDarkCard, colour[0] / 255.0);
  Rgb result = colour;
  for (int share = 5; contrast(result, kDarkCard) < kContrast; share += 5)
    result = mix(colour, {255, 255, 255}, share / 100.0);
  return result;
}

double contrast(const Rgb& a, const Rgb& b) {
  const double first = luminance(a), second = luminance(b);
  return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

std::string palette_colour(size_t index, size_t count) {
  constexpr std::array<Rgb, 6> kStops = {
      {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 150, 118}, {90, 165, 50}, {150, 150, 20}}};
  return hexadecimal(between(kStops, count < 2 ? 0.4 : static_cast<double>(index) / static_cast<double>(count - 1)));
}

std::string cell_colour(double share) {
  constexpr std::array<Rgb, 6> kViridis = {{{0x44, 0x01, 0x54},
                                            {0x41, 0x44, 0x87},
                                            {0x2a, 0x78, 0x8e},
                                            {0x22, 0xa8, 0x84},
                                            {0x7a, 0xd1, 0x51},
                                            {0xfd, 0xe7, 0x25}}};
  return hexadecimal(between(kViridis, share));
}

}  // namespace wordsway
