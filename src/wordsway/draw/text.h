// One line of text in a chart: plain, except for exponents, which are set as superscripts. How wide it is follows from
// a table of letter widths in this file's source, so that a chart does not depend on the fonts of the machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wordsway {

class Text {
 public:
  struct Run {
    std::string text;
    bool raised = false;  // a superscript
    bool operator==(const Run&) const = default;
  };

  Text() = default;
  /// Plain text; nothing in it is interpreted.
  Text(std::string text);
  Text(std::string_view text) : Text(std::string(text)) {}
  Text(const char* text) : Text(std::string(text)) {}

  Text& operator+=(const Text& more);
  friend Text operator+(Text a, const Text& b) { return a += b; }
  bool operator==(const Text&) const = default;

  const std::vector<Run>& runs() const { return runs_; }
  bool empty() const { return runs_.empty(); }
  /// For alternative texts and comparisons: exponents in Unicode's superscripts (n⁻⁰·⁰⁵), or else behind a '^'.
  std::string plain() const;

  friend Text power(std::string base, std::string exponent);

 private:
  std::vector<Run> runs_;
};

/// `base` with a superscript.
Text power(std::string base, std::string exponent);

/// A number with a true minus sign (U+2212); very large and very small ones as 2×10⁷, with a superscript.
Text number_text(double value);

/// `text` with true minus signs in place of hyphens; for formatted numbers.
std::string with_minus_signs(std::string text);

inline constexpr double kFontSize = 14, kSmallFontSize = 10;  // pixels: of charts, and of superscripts

/// An upper bound in pixels for the width of one line in the usual fonts: letters are as wide as those of DejaVu Sans,
/// and ideographs take a full square.
double text_width(const Text& text);

/// The text on one line, without line breaks and tabs, and cut with an ellipsis if it is wider than this.
Text fitted(const Text& text, double pixels);

}  // namespace wordsway
