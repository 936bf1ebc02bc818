#include "wordsway/figures/gnuplot.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/core/utf8.h"
#include "wordsway/figures/child_process.h"
#include "wordsway/figures/fonts.h"
#include "wordsway/figures/page/page_parts.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway {

namespace {

std::string terminal(const Canvas& canvas) {
  const std::string ending = canvas.path.extension().string();
  if (ending == ".svg")
    return fmt::format("set terminal svg size {},{} dynamic font 'Helvetica,Arial,sans-serif,14' background '#ffffff'",
                       canvas.width, canvas.height);
  if (ending == ".pdf")
    return fmt::format("set terminal pdfcairo size {:.2f}in,{:.2f}in font 'sans,15'", canvas.width / 100.0,
                       canvas.height / 100.0);
  if (ending == ".png")
    return fmt::format("set terminal pngcairo size {},{} font 'sans,10.5' pointscale 1.9", canvas.width, canvas.height);
  throw UsageError(fmt::format("this chart is written as .svg, .pdf or .png; got '{}'", canvas.path.string()));
}

// gnuplot takes no notice of writes that fail, so only the end tells whether a picture is all there.
bool is_whole(std::string_view picture, const std::string& ending) {
  if (ending == ".png") return picture.starts_with("\x89PNG") && picture.ends_with("IEND\xAE\x42\x60\x82");
  picture = picture.substr(0, picture.find_last_not_of(" \r\n") + 1);
  if (ending == ".pdf") return picture.starts_with("%PDF") && picture.ends_with("%%EOF");
  return picture.starts_with("<?xml") && picture.ends_with("</svg>");
}

// Quotes, backslashes, backquotes, @ and all that is not ASCII as octal escapes. Digits too, which gnuplot would take
// for a part of the escape before them.
std::string escaped(std::string_view bytes) {
  std::string result;
  for (const char c : bytes) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == ' ';
    result += plain ? std::string(1, c) : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return result;
}

// A script with bytes in the place of their escapes.
std::string unescaped(std::string_view script) {
  std::string bytes;
  for (size_t at = 0; at < script.size(); ++at) {
    unsigned byte = 0;
    const std::string_view digits = script.substr(at + 1, 3);
    const bool is_escape = script[at] == '\\' && digits.size() == 3 &&
                           std::from_chars(digits.begin(), digits.end(), byte, 8).ptr == digits.end();
    bytes += is_escape ? static_cast<char>(byte) : script[at];
    if (is_escape) at += digits.size();
  }
  return bytes;
}

std::string escaped(char32_t character) {
  std::string bytes;
  unicode::append_utf8(bytes, character);
  return escaped(bytes);
}

// A script whose texts hold '?' for every character that no font has. The library that draws PNG and PDF
// (pango 1.50) would draw a box larger than the picture for it, and all that follows in the same text as large.
std::string without_missing_characters(std::string script) {
  for (const char32_t character : characters_without_font(unescaped(script))) {
    const std::string missing = escaped(character);
    for (size_t at = script.find(missing); at != std::string::npos; at = script.find(missing, at))
      script.replace(at, missing.size(), "?");
  }
  return script;
}

// gnuplot leaves '>' as it is, which XML allows but after "]]".
std::string as_xml(std::string svg) {
  constexpr std::string_view kForbidden = "]]>";
  for (size_t at = svg.find(kForbidden); at != std::string::npos; at = svg.find(kForbidden, at))
    svg.replace(at, kForbidden.size(), "]]&gt;");
  return svg;
}

// What gnuplot said, as the end of a sentence.
std::string told(const std::string& messages) {
  constexpr size_t kMost = 1000;
  std::string text;
  for (const char c : messages.substr(0, kMost)) {
    const bool space = c == '\n' || c == '\r' || c == '\t' || c == ' ';
    if (!space) text += c;
    if (space && !text.empty() && text.back() != ' ') text += ' ';
  }
  return text.empty() ? "it does not say why" : text.substr(0, text.find_last_not_of(' ') + 1);
}

std::string draw(const std::string& script) {
  // -d: what a user keeps in ~/.gnuplot is not run. -: the script comes from standard input.
  const ChildResult result = run_child({"gnuplot", "-d", "-"}, script);
  if (result.start_error == ENOENT)
    throw FileError("charts need gnuplot, which was not found (Debian: apt install gnuplot-nox)");
  if (result.start_error != 0)
    throw FileError("charts need gnuplot, which the system refused to start: " +
                    std::generic_category().message(result.start_error));
  if (result.exit_code > 128)
    throw FileError(fmt::format("gnuplot was ended by signal {}: {}", result.exit_code - 128, told(result.err)));
  if (result.exit_code != 0) throw FileError("gnuplot failed: " + told(result.err));
  // A script that never comes to its plot command ends well.
  if (result.out.empty()) throw FileError("gnuplot drew nothing: " + told(result.err));
  return result.out;
}

}  // namespace

void run_gnuplot(const Canvas& canvas, const std::string& script) {
  const std::string ending = canvas.path.extension().string();
  const std::string drawable = ending == ".svg" ? script : without_missing_characters(script);
  // Texts are UTF-8 whatever the locale is.
  std::string picture = draw("set encoding utf8\n" + terminal(canvas) + "\n" + drawable + "\nunset output\n");
  if (!is_whole(picture, ending)) throw FileError(fmt::format("gnuplot drew only a part of {}", canvas.path.string()));
  if (ending == ".svg") picture = as_xml(std::move(picture));
  write_file_atomically(canvas.path, picture);
}

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

Canvas Canvas::sized(int usual_width, int usual_height) const {
  Canvas result = *this;
  if (width == 0) result.width = usual_width;
  if (height == 0) result.height = usual_height;
  return result;
}

void draw_nothing(const Canvas& canvas, const std::string& title) {
  run_gnuplot(canvas.sized(560, 400),
              fmt::format("set title {} noenhanced\nset label 'nothing to draw' at graph 0.5, graph 0.5 center\n"
                          "unset tics\nunset key\nset border linecolor '#444444'\n"
                          "set xrange [0:1]\nset yrange [0:1]\nplot NaN",
                          gnuplot_quoted(title)));
}

bool is_shown(double value) {
  return std::abs(value) <= kLargestShown;  // false for NaN
}

std::string palette_colour(size_t index, size_t count) {
  constexpr std::array<std::array<double, 3>, 6> kStops = {
      {{68, 1, 84}, {65, 68, 135}, {42, 120, 142}, {34, 150, 118}, {90, 165, 50}, {150, 150, 20}}};
  const double position =
      count < 2 ? 2 : (kStops.size() - 1) * static_cast<double>(index) / static_cast<double>(count - 1);
  const size_t low = std::min(static_cast<size_t>(position), kStops.size() - 2);
  const double share = position - static_cast<double>(low);
  std::array<int, 3> rgb{};
  for (size_t c = 0; c < 3; ++c)
    rgb[c] = static_cast<int>(std::lround((1 - share) * kStops[low][c] + share * kStops[low + 1][c]));
  return fmt::format("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2]);
}

namespace {

struct NamedColour {
  std::string_view name, colour;
};
// As on the page of `serve` (app/page/chart.js). Told apart by colour-blind people where they meet most (rf, drf, raf,
// raf-relu), and dark enough for white paper.
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

// Of the longest name that the label begins with, ended by a space, a comma, a bracket or the label itself.
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

namespace {

// What gnuplot makes of a label that holds a % ends after 49 bytes, in the middle of a character if need be.
constexpr size_t kMostBytesWithPercent = 48;
constexpr char32_t kEllipsis = 0x2026;

std::string encoded(std::u32string_view characters) {
  std::string bytes;
  for (const char32_t character : characters) unicode::append_utf8(bytes, character);
  return bytes;
}

size_t width_of(char32_t character) {
  constexpr char32_t kFirstIdeographs = 0x2E80;
  return character >= kFirstIdeographs ? 2 : 1;
}

// On one line, and not longer than it can be read.
std::u32string one_line(std::string_view text, size_t widest) {
  std::u32string line;
  size_t width = 0, kept = 0;  // how many characters leave room for an ellipsis
  for (const char32_t character : displayable(text)) {
    width += width_of(character);
    if (width > widest) return line.substr(0, kept) + kEllipsis;
    line += character == U'\n' || character == U'\t' ? U' ' : character;
    if (width < widest) kept = line.size();
  }
  return line;
}

// None of a text's characters ends the string, runs a command or expands a macro.
std::string in_quotes(std::string_view bytes) {
  return '"' + escaped(bytes) + '"';
}

}  // namespace

std::string gnuplot_quoted(std::string_view text, size_t widest) {
  return in_quotes(encoded(one_line(text, widest)));
}

std::string gnuplot_tic(std::string_view label, double position) {
  std::u32string characters = one_line(label, kWidestLabel);
  if (characters.find(U'%') != std::u32string::npos)
    while (encoded(characters).size() > kMostBytesWithPercent) {
      characters.resize(characters.size() - (characters.back() == kEllipsis ? 2 : 1));
      characters.push_back(kEllipsis);
    }
  std::string format;
  for (const char c : encoded(characters)) format += c == '%' ? "%%" : std::string(1, c);
  return fmt::format("{} {}", in_quotes(format), position);
}

}  // namespace wordsway
