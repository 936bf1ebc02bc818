#include "wordsway/draw/svg_elements.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

#include "wordsway/draw/colours.h"
#include "wordsway/draw/markup.h"

namespace wordsway {
namespace {

struct Role {
  std::string_view name, light, dark;
  const char* property;
};
constexpr std::array<Role, 7> kRoles = {{{"ink", "#1d2329", "#e7e5e0", "fill"},
                                         {"soft", "#59636e", "#a2a9b0", "fill"},
                                         {"grid", "#e2e2de", "#32383e", "stroke"},
                                         {"frame", "#6b747d", "#8a929a", "stroke"},
                                         {"paper", "#ffffff", "#1a1e22", "fill"},
                                         {"tint", "#f4f4f1", "#20252a", "fill"},
                                         // Marks can be seen on bars.
                                         {"bar", "#a6cbd6", "#2f5966", "fill"}}};

// Two decimals at most, without "-0".
std::string number(double value) {
  const double rounded = std::round(value * 100) / 100;
  return fmt::format("{}", rounded == 0 ? 0.0 : rounded);
}

std::string point(Place at) {
  return number(at.x) + "," + number(at.y);
}

std::string titled(const char* name, const std::string& attributes, const std::string& title) {
  if (title.empty()) return fmt::format("<{} {}/>\n", name, attributes);
  return fmt::format("<{0} {1}><title>{2}</title></{0}>\n", name, attributes, escape_html(title));
}

std::string joined(const std::vector<Place>& places) {
  std::string result;
  for (const Place& place : places) result += (result.empty() ? "" : " ") + point(place);
  return result;
}

// Exponents stand higher and are smaller.
std::string runs_of(const Text& text) {
  constexpr double kRise = 0.38 * kFontSize;
  std::string result;
  bool raised = false;
  for (const Text::Run& run : text.runs()) {
    std::string content = escape_html(run.text);
    if (run.raised)
      result += fmt::format("<tspan dy=\"-{}\" font-size=\"{}\">{}</tspan>", number(kRise), kSmallFontSize, content);
    else
      result += raised ? fmt::format("<tspan dy=\"{}\">{}</tspan>", number(kRise), content) : content;
    raised = run.raised;
  }
  return result;
}

const char* name_of(SvgElements::Anchor anchor) {
  return anchor == SvgElements::Anchor::kStart ? ""
         : anchor == SvgElements::Anchor::kEnd ? " text-anchor=\"end\""
                                               : " text-anchor=\"middle\"";
}

}  // namespace

std::string SvgElements::painted(const char* property, std::string_view paint) {
  for (const Role& role : kRoles)
    if (role.name == paint) return fmt::format("{}=\"{}\" class=\"ww-{}\"", property, role.light, role.name);
  colours_.emplace(paint);
  return fmt::format("{}=\"{}\" class=\"ww-{}{}\"", property, paint, property[0], paint.substr(1));
}

void SvgElements::text(Place at, const Text& text, const TextStyle& style) {
  if (text.empty()) return;
  constexpr double kBaseline = 0.35 * kFontSize;  // below the middle of small letters and digits
  const std::string turn = style.turned == 0 ? ""
                                             : fmt::format(" transform=\"rotate({} {} {})\"", number(style.turned),
                                                           number(at.x), number(at.y));
  const double shift = style.turned == 0 ? kBaseline : 0.3 * kFontSize;
  markup_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}{} {}>{}</text>\n", number(at.x), number(at.y + shift), turn,
                         name_of(style.anchor), style.bold ? " font-weight=\"600\"" : "", painted("fill", style.paint),
                         runs_of(fitted(text, 1e9)));
}

void SvgElements::line(Place from, Place to, std::string_view paint, double width, bool dashed) {
  markup_ += fmt::format("<path d=\"M{}L{}\" {}{}{}/>\n", point(from), point(to), painted("stroke", paint),
                         width == 1 ? "" : fmt::format(" stroke-width=\"{}\"", number(width)),
                         dashed ? " stroke-dasharray=\"7,5\"" : "");
}

void SvgElements::box(Place corner, double width, double height, std::string_view paint, const std::string& title) {
  markup_ += titled("rect",
                    fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}", number(corner.x), number(corner.y),
                                number(width), number(height), painted("fill", paint)),
                    title);
}

void SvgElements::cell(Place corner, double width, double height, std::string_view colour, const std::string& title) {
  markup_ += titled("rect",
                    fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"", number(corner.x),
                                number(corner.y), number(width), number(height), colour),
                    title);
}

void SvgElements::polyline(const std::vector<Place>& places, std::string_view paint, double width, bool dashed) {
  if (places.size() < 2) return;
  markup_ +=
      fmt::format("<polyline points=\"{}\" fill=\"none\" {} stroke-width=\"{}\" stroke-linejoin=\"round\"{}/>\n",
                  joined(places), painted("stroke", paint), number(width), dashed ? " stroke-dasharray=\"7,5\"" : "");
}

void SvgElements::area(const std::vector<Place>& places, std::string_view paint, double opacity) {
  if (places.size() < 3) return;
  markup_ += fmt::format("<polygon points=\"{}\" {} fill-opacity=\"{}\"/>\n", joined(places), painted("fill", paint),
                         number(opacity));
}

void SvgElements::path(const std::string& steps, Shape shape, double radius, std::string_view paint,
                       const std::string& title) {
  const bool open = shape == Shape::kOpenSquare || shape == Shape::kOpenDiamond || shape == Shape::kCross;
  const std::string colour = painted(open ? "stroke" : "fill", paint);
  markup_ += titled("path",
                    fmt::format("d=\"{}\" {}{}", steps, colour,
                                open ? fmt::format(" fill=\"none\" stroke-width=\"{}\"", number(radius / 2.6)) : ""),
                    title);
}

void SvgElements::mark(Place at, Shape shape, double radius, std::string_view paint, const std::string& title) {
  const auto polygon = [&](std::initializer_list<Place> corners) {
    std::string steps;
    for (const Place& corner : corners)
      steps += (steps.empty() ? "M" : "L") + point({at.x + radius * corner.x, at.y + radius * corner.y});
    path(steps + "Z", shape, radius, paint, title);
  };
  switch (shape) {
    case Shape::kNone:
      return;
    case Shape::kDisc:
    case Shape::kRing: {
      const bool open = shape == Shape::kRing;
      const std::string colour = painted(open ? "stroke" : "fill", paint);
      markup_ +=
          titled("circle",
                 fmt::format("cx=\"{}\" cy=\"{}\" r=\"{}\" {}{}", number(at.x), number(at.y), number(radius), colour,
                             open ? fmt::format(" fill=\"none\" stroke-width=\"{}\"", number(radius / 2.6)) : ""),
                 title);
      return;
    }
    case Shape::kSquare:
    case Shape::kOpenSquare:
      return polygon({{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}});
    case Shape::kTriangle:
      return polygon({{0, -1.15}, {1.1, 0.8}, {-1.1, 0.8}});
    case Shape::kDownTriangle:
      return polygon({{0, 1.15}, {1.1, -0.8}, {-1.1, -0.8}});
    case Shape::kDiamond:
    case Shape::kOpenDiamond:
      return polygon({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
    case Shape::kCross:
      path("M" + point({at.x - radius, at.y - radius}) + "L" + point({at.x + radius, at.y + radius}) + "M" +
               point({at.x - radius, at.y + radius}) + "L" + point({at.x + radius, at.y - radius}),
           shape, radius, paint, title);
  }
}

std::string dark_role_rules(std::string_view only) {
  std::string rules;
  for (const Role& role : kRoles)
    if (only.empty() || role.name == only) rules += fmt::format(".ww-{}{{{}:{}}}", role.name, role.property, role.dark);
  return rules;
}

std::string dark_colour_rules(const std::set<std::string>& colours) {
  std::string rules;
  for (const std::string& colour : colours)
    if (const auto light = parse_colour(colour)) {
      const std::string dark = hexadecimal(on_dark_page(*light)), name = colour.substr(1);
      rules += fmt::format(".ww-f{0}{{fill:{1}}}.ww-s{0}{{stroke:{1}}}", name, dark);
    }
  return rules;
}

}  // namespace wordsway
