#include "wordsway/io/npy_header.h"

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/npy_literal.h"

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

}  // namespace wordsway
