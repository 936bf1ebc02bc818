#include "wordsway/io/npy_header.h"

#include <algorithm>
#include <charconv>
#include <set>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"

namespace wordsway {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kVersionSize = 2;
constexpr size_t kMaxDimensions = 64;  // NumPy's own limit

size_t little_endian(std::string_view bytes) {
  size_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

struct HeaderText {
  std::string_view text;
  size_t end;  // in the file
};

HeaderText find_header_text(std::string_view file, size_t file_size, std::string_view name) {
  const auto fail = [&](const std::string& what) { throw DataError(fmt::format("{}: {}", name, what)); };
  if (file.empty()) fail("the file is empty, expected an npy array");
  if (!file.starts_with(kMagic)) fail("not an npy file: it does not start with \\x93NUMPY");
  if (file.size() < kMagic.size() + kVersionSize) fail("the npy header is cut off before its version");
  const int major = static_cast<unsigned char>(file[kMagic.size()]);
  const int minor = static_cast<unsigned char>(file[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    fail(fmt::format("npy version {}.{} is unknown; versions 1.0, 2.0 and 3.0 can be read", major, minor));
  }
  const size_t length_size = major == 1 ? 2 : 4;
  const size_t start = kMagic.size() + kVersionSize + length_size;
  if (file.size() < start) fail("the npy header is cut off before its length");
  const size_t length = little_endian(file.substr(start - length_size, length_size));
  if (length > file_size - start) {
    fail(fmt::format("the npy header claims {} bytes, but only {} are left in the file", length, file_size - start));
  }
  if (length > file.size() - start) {
    fail(fmt::format("the npy header claims {} bytes; at most {} are read", length, kMostNpyHeaderBytes));
  }
  return {file.substr(start, length), start + length};
}

// '<' little, '>' big; '=', '|' and nothing mean the machine's own order, which is little endian (see npy.cpp).
void apply_descr(std::string_view descr, NpyTypes types, NpyHeader& header, std::string_view name) {
  std::string_view type = descr;
  if (!type.empty() && std::string_view("<>=|").find(type.front()) != std::string_view::npos) type.remove_prefix(1);
  const bool whole = type.size() == 2 && (type[0] == 'i' || type[0] == 'u') &&
                     std::string_view("1248").find(type[1]) != std::string_view::npos;
  if (type != "f4" && type != "f8" && !(whole && types == NpyTypes::kNumbers)) {
    throw DataError(
        fmt::format("{}: values of type '{}' cannot be read; expected floating point numbers of 4 or 8 "
                    "bytes (float32 or float64: '<f4', '<f8', '>f4', '>f8'){}",
                    name, descr, types == NpyTypes::kNumbers ? " or whole numbers" : ""));
  }
  header.kind = type[0];
  header.item_size = static_cast<size_t>(type[1] - '0');
  header.big_endian = descr.front() == '>';
}

size_t checked_count(const NpyHeader& header, std::string_view name) {
  if (header.shape.size() > kMaxDimensions) {
    throw DataError(fmt::format("{}: the shape has {} dimensions; at most {} can be read", name, header.shape.size(),
                                kMaxDimensions));
  }
  const auto count = item_count(header.shape, header.item_size);
  if (!count) throw DataError(fmt::format("{}: the shape {} is too large", name, format_shape(header.shape)));
  return *count;
}

}  // namespace

NpyHeader parse_npy_header(std::span<const std::byte> front, size_t file_size, std::string_view name, NpyTypes types) {
  const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  const HeaderText found = find_header_text(text, file_size, name);
  const NpyDictionary dictionary = parse_npy_dictionary(found.text, name);
  NpyHeader header;
  header.shape = dictionary.shape;
  header.fortran_order = dictionary.fortran_order;
  header.values_offset = found.end;
  apply_descr(dictionary.descr, types, header, name);
  header.count = checked_count(header, name);
  return header;
}

std::string format_npy_header(std::string_view descr, const std::vector<Index>& shape) {
  constexpr size_t kAlignment = 64;
  constexpr size_t kPreamble = kMagic.size() + kVersionSize + 2;
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, format_shape(shape));
  const size_t unpadded = kPreamble + text.size() + 1;
  text.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  text += '\n';
  ensure(text.size() <= 0xffff, "an npy header of version 1.0 is shorter than 64 KiB");
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// White space between Python's tokens.
constexpr std::string_view kSpaces = " \t\n\r\f";

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
      if ((c < ' ' && kSpaces.find(c) == std::string_view::npos) || c > '~') {
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
    while (at_ < text_.size() && kSpaces.find(text_[at_]) != std::string_view::npos) ++at_;
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
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return kSpaces.find(c) != std::string_view::npos; }, ' ');
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
