#include "wordsway/io/npy_literal.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

class DictionaryParser {
 public:
  DictionaryParser(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  NpyDictionary parse() {
    refuse_other_than_text();
    expect('{', "the dictionary");
    while (!accept('}')) {
      parse_entry();
      if (accept('}')) break;
      expect(',', "the next key");
    }
    skip_spaces();
    if (at_ < text_.size()) fail(fmt::format("something follows the dictionary: {}", rest()));
    for (const char* key : {"descr", "fortran_order", "shape"}) {
      if (seen_.count(key) == 0) fail(fmt::format("the key '{}' is missing", key));
    }
    return result_;
  }

 private:
  // Types, keys and numbers that can be read are plain ASCII; so messages can quote the header as it is.
  void refuse_other_than_text() const {
    for (const char c : text_) {
      if ((c < ' ' && !is_space(c)) || c > '~') {
        fail(fmt::format("it holds the byte 0x{:02x}, which is not plain text", static_cast<unsigned char>(c)));
      }
    }
  }

  void parse_entry() {
    const std::string key = parse_string("a key in quotes");
    if (!seen_.insert(key).second) fail(fmt::format("the key '{}' comes twice", key));
    expect(':', fmt::format("the value of '{}'", key));
    if (key == "descr") {
      result_.descr = parse_descr();
    } else if (key == "fortran_order") {
      result_.fortran_order = parse_bool();
    } else if (key == "shape") {
      result_.shape = parse_shape();
    } else {
      fail(fmt::format("the key '{}' is unknown; expected 'descr', 'fortran_order' and 'shape'", key));
    }
  }

  std::string parse_descr() {
    if (next_is('[')) fail("structured values cannot be read; expected 'descr' to be '<f4', '<f8', '>f4' or '>f8'");
    return parse_string("'descr' to be a type in quotes");
  }

  bool parse_bool() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"}) {
      const std::string_view left = text_.substr(at_);
      if (left.starts_with(word) && (left.size() == word.size() || !is_word(left[word.size()]))) {
        at_ += word.size();
        return word == "True";
      }
    }
    fail(fmt::format("expected 'fortran_order' to be True or False, found {}", rest()));
  }

  std::vector<Index> parse_shape() {
    if (!accept('(')) fail(fmt::format("expected 'shape' to be a tuple, found {}", rest()));
    std::vector<Index> shape;
    bool comma = true;
    while (!accept(')')) {
      if (!comma) fail(fmt::format("expected ',' or ')' in 'shape', found {}", rest()));
      shape.push_back(parse_extent());
      comma = accept(',');
    }
    // In Python (3) is a number; only (3,) is a tuple.
    if (shape.size() == 1 && !comma)
      fail(fmt::format("expected 'shape' to be a tuple, found ({0}); ({0},) is one", shape[0]));
    return shape;
  }

  Index parse_extent() {
    skip_spaces();
    Index extent = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), extent);
    if (error == std::errc::result_out_of_range) fail(fmt::format("a number in 'shape' is too large: {}", rest()));
    if (error != std::errc()) fail(fmt::format("expected a number in 'shape', found {}", rest()));
    if (extent < 0) fail(fmt::format("a number in 'shape' is negative: {}", extent));
    at_ += static_cast<size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers as 3L
    return extent;
  }

  std::string parse_string(std::string_view expected) {
    skip_spaces();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail(fmt::format("expected {}, found {}", expected, rest()));
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) fail(fmt::format("a quote is not closed: {}", rest()));
    const std::string_view content = text_.substr(at_ + 1, end - at_ - 1);
    if (content.find('\\') != std::string_view::npos) fail(fmt::format("escapes are not understood: {}", rest()));
    at_ = end + 1;
    return std::string(content);
  }

  static bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

  void skip_spaces() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  }

  bool next_is(char c) {
    skip_spaces();
    return at_ < text_.size() && text_[at_] == c;
  }

  bool accept(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }

  void expect(char c, std::string_view before) {
    if (!accept(c)) fail(fmt::format("expected '{}' and {}, found {}", c, before, rest()));
  }

  // The next few characters, for messages.
  std::string rest() const {
    constexpr size_t kShown = 24;
    if (at_ >= text_.size()) return "its end";
    const std::string_view left = text_.substr(at_);
    std::string shown(left.substr(0, kShown));
    std::replace_if(shown.begin(), shown.end(), is_space, ' ');
    return left.size() > kShown ? shown + "..." : shown;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw DataError(fmt::format("{}: the npy header is malformed: {}", name_, what));
  }

  std::string_view text_;
  std::string_view name_;
  size_t at_ = 0;
  std::set<std::string> seen_;
  NpyDictionary result_;
};

}  // namespace

NpyDictionary parse_npy_dictionary(std::string_view text, std::string_view name) {
  return DictionaryParser(text, name).parse();
}

}  // namespace wordsway
