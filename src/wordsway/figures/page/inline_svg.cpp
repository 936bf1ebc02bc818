#include "wordsway/figures/page/inline_svg.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/figures/page/page_parts.h"

namespace wordsway {

namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// An opening tag taken apart. Values are as they stand in the document: still escaped.
struct Tag {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes;
  bool closed = false;  // <name/>

  std::string value(std::string_view attribute) const {
    for (const auto& [key, text] : attributes)
      if (key == attribute) return text;
    return "";
  }
  std::string markup() const {
    std::string result = "<" + name;
    for (const auto& [key, text] : attributes) {
      const char quote = text.find('"') == std::string::npos ? '"' : '\'';
      result += fmt::format(" {}={}{}{}", key, quote, text, quote);
    }
    return result + (closed ? "/>" : ">");
  }
};

// Walks over a document: texts, comments, closing tags and opening ones.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  bool sees(std::string_view what) const { return text_.substr(at_).starts_with(what); }
  // Up to the next '<', which may be here.
  std::string_view content() { return take_until(text_.find('<', at_), 0); }
  // Up to and with `end`.
  std::string_view through(std::string_view end) { return take_until(text_.find(end, at_), end.size()); }

  Tag tag() {
    Tag result;
    ++at_;  // '<'
    result.name = word();
    for (skip_spaces(); !at_end() && !sees(">"); skip_spaces()) {
      if (sees("/")) {
        result.closed = true;
        ++at_;
        continue;
      }
      std::string name = word();
      skip_spaces();
      if (name.empty() || !sees("=")) throw DataError("a tag that is not XML");
      ++at_;
      skip_spaces();
      if (!sees("\"") && !sees("'")) throw DataError("an attribute without quotes");
      const char quote = text_[at_++];
      const std::string_view value = through(std::string_view(&quote, 1));
      result.attributes.emplace_back(std::move(name), std::string(value.substr(0, value.size() - 1)));
    }
    if (at_end()) throw DataError("a tag that does not end");
    ++at_;
    return result;
  }

 private:
  std::string_view take_until(size_t end, size_t extra) {
    if (end == std::string_view::npos && extra > 0) throw DataError("the document is cut off");
    const size_t stop = end == std::string_view::npos ? text_.size() : end + extra;
    const std::string_view result = text_.substr(at_, stop - at_);
    at_ = stop;
    return result;
  }
  std::string word() {
    const size_t begin = at_;
    while (!at_end() && !is_space(text_[at_]) && text_[at_] != '=' && text_[at_] != '>' && text_[at_] != '/') ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }
  void skip_spaces() {
    while (!at_end() && is_space(text_[at_])) ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
};

// url(#id) -> url(#PREFIXid); anything else that a url() names would be fetched.
std::string with_prefixed_urls(std::string value, const std::string& prefix) {
  for (size_t at = value.find("url("); at != std::string::npos; at = value.find("url(", at + 1)) {
    size_t hash = at + 4;
    while (hash < value.size() && (value[hash] == '"' || value[hash] == '\'' || is_space(value[hash]))) ++hash;
    if (hash >= value.size() || value[hash] != '#') throw DataError("a reference to something outside: " + value);
    value.insert(hash + 1, prefix);
  }
  return value;
}

void adapt(Tag& tag, const std::string& prefix) {
  // A style sheet would be one of the whole page.
  if (tag.name == "script" || tag.name == "style") throw DataError("a " + tag.name);
  for (auto& [key, value] : tag.attributes) {
    if (key == "id") {
      value.insert(0, prefix);
    } else if (key == "href" || key == "xlink:href") {
      if (value.starts_with("#"))
        value.insert(1, prefix);
      else if (!value.starts_with("data:image/"))
        throw DataError("a reference to something outside: " + value);
    } else if (key.starts_with("on")) {
      throw DataError("a script");
    } else {
      value = with_prefixed_urls(std::move(value), prefix);
    }
  }
}

void open_colours(Tag& tag, std::set<Rgb>& colours) {
  const bool opaque = tag.value("fill-opacity").empty();
  for (auto& [key, value] : tag.attributes) {
    if (key != "fill" && key != "stroke" && key != "color") continue;
    const auto colour = parse_colour(value);
    if (!colour) continue;
    const bool grey = (*colour)[0] == (*colour)[1] && (*colour)[1] == (*colour)[2];
    if (key == "fill" && opaque && !grey) continue;
    colours.insert(*colour);
    value = fmt::format("var(--c{0}, #{0})", hexadecimal(*colour));
  }
}

// Width and height: of the viewBox, else of the size in pixels.
std::pair<double, double> size_of(const Tag& root) {
  std::istringstream box(root.value("viewBox"));
  double x = 0, y = 0, width = 0, height = 0;
  if (!(box >> x >> y >> width >> height)) {
    width = std::atof(root.value("width").c_str());
    height = std::atof(root.value("height").c_str());
  }
  if (!(width > 0) || !(height > 0)) throw DataError("a picture without a size");
  return {width, height};
}

std::string opening(const Tag& root, const InlineSvg& picture, const std::string& prefix, const std::string& title) {
  Tag tag{"svg", {}, false};
  for (const auto& [key, value] : root.attributes)
    if (key != "width" && key != "height" && key != "viewBox" && key != "id" && key != "class")
      tag.attributes.emplace_back(key, value);
  const std::string box = root.value("viewBox");
  tag.attributes.emplace_back("viewBox",
                              box.empty() ? fmt::format("0 0 {:g} {:g}", picture.width, picture.height) : box);
  tag.attributes.emplace_back("role", "img");
  tag.attributes.emplace_back("aria-labelledby", prefix + "title");
  return fmt::format("{}<title id=\"{}title\">{}</title>", tag.markup(), prefix, escape_html(title));
}

bool covers(const Tag& tag, const InlineSvg& picture) {
  return tag.name == "rect" && std::atof(tag.value("width").c_str()) >= picture.width &&
         std::atof(tag.value("height").c_str()) >= picture.height;
}

}  // namespace

InlineSvg inline_svg(const std::string& document, const std::string& prefix, const std::string& title) {
  Reader reader(document);
  InlineSvg picture;
  bool paper_found = false;
  while (!reader.at_end()) {
    const std::string_view content = reader.content();
    if (picture.width > 0) picture.markup += content;
    if (reader.at_end()) break;
    if (reader.sees("<!--")) {
      reader.through("-->");
    } else if (reader.sees("<?") || reader.sees("<!")) {
      reader.through(">");
    } else if (reader.sees("</")) {
      picture.markup += reader.through(">");
    } else {
      Tag tag = reader.tag();
      adapt(tag, prefix);
      if (picture.width <= 0) {
        if (tag.name != "svg") throw DataError("not an SVG picture");
        std::tie(picture.width, picture.height) = size_of(tag);
        picture.markup = opening(tag, picture, prefix, title);
        continue;
      }
      if ((tag.name == "title" || tag.name == "desc") && !tag.closed) {  // gnuplot's own say nothing
        reader.through("</" + tag.name + ">");
        continue;
      }
      if (!paper_found && covers(tag, picture)) {
        paper_found = true;
        tag.attributes.emplace_back("class", "paper");
      }
      open_colours(tag, picture.colours);
      picture.markup += tag.markup();
    }
  }
  if (picture.width <= 0) throw DataError("not an SVG picture");
  return picture;
}

InlineSvg read_inline_svg(const std::filesystem::path& path, const std::string& prefix, const std::string& title) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) throw FileError("cannot read the picture " + path.string());
  try {
    return inline_svg(text.str(), prefix, title);
  } catch (const DataError& error) {
    throw FileError(fmt::format("{} cannot stand in a page: {}", path.string(), error.what()));
  }
}

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
