// The elements of an SVG picture, with colours for light and dark pages.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/draw/chart.h"

namespace wordsway {

struct Place {
  double x, y;
};

/// Collects elements. A paint is "#rrggbb" or the name of a role, whose colours are chosen for both kinds of pages:
/// ink, soft, grid, frame, paper, tint, bar. Every painted element has the colour for light paper as an attribute, and
/// a class, by which a style sheet sets the one for a dark page. Texts are escaped.
class SvgElements {
 public:
  enum class Anchor { kStart, kMiddle, kEnd };

  struct TextStyle {
    Anchor anchor = Anchor::kStart;
    std::string_view paint = "ink";
    bool bold = false;
    double turned = 0;  // degrees, around the place
  };

  /// One line of text, centred vertically on the place.
  void text(Place at, const Text& text, const TextStyle& style);
  void line(Place from, Place to, std::string_view paint, double width = 1, bool dashed = false);
  /// `title` is shown when somebody points at it; may be empty. So it is with cells and marks.
  void box(Place corner, double width, double height, std::string_view paint, const std::string& title = {});
  /// Between these two, edges are not smoothed, so that no seams show between neighbours.
  void begin_crisp() { markup_ += "<g shape-rendering=\"crispEdges\">\n"; }
  void end_crisp() { markup_ += "</g>\n"; }
  /// A box whose colour stays the same on dark pages.
  void cell(Place corner, double width, double height, std::string_view colour, const std::string& title = {});
  void polyline(const std::vector<Place>& places, std::string_view paint, double width, bool dashed);
  void area(const std::vector<Place>& places, std::string_view paint, double opacity);
  void mark(Place at, Shape shape, double radius, std::string_view paint, const std::string& title = {});

  const std::string& markup() const { return markup_; }
  /// The colours in use, besides those of roles.
  const std::set<std::string>& colours() const { return colours_; }

 private:
  std::string painted(const char* property, std::string_view paint);
  void path(const std::string& steps, Shape shape, double radius, std::string_view paint, const std::string& title);

  std::string markup_;
  std::set<std::string> colours_;
};

/// The rules that change colours on dark pages: those of the roles (or of one of them), and of the others.
std::string dark_role_rules(std::string_view only = {});
std::string dark_colour_rules(const std::set<std::string>& colours);

}  // namespace wordsway
