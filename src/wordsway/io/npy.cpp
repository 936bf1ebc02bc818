#include "wordsway/io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/mapped_file.h"
#include "wordsway/io/npy_header.h"

namespace wordsway {
namespace {

static_assert(std::endian::native == std::endian::little, "byte orders are decided for little-endian machines");

template <typename Number>
double value_at(const std::byte* source, bool swap) {
  std::array<std::byte, sizeof(Number)> bytes;
  std::memcpy(bytes.data(), source, sizeof(Number));
  if (swap) std::reverse(bytes.begin(), bytes.end());
  return static_cast<double>(std::bit_cast<Number>(bytes));
}

template <typename Signed>
double whole_value_at(const NpyHeader& header, const std::byte* source) {
  return header.kind == 'i' ? value_at<Signed>(source, header.big_endian)
                            : value_at<std::make_unsigned_t<Signed>>(source, header.big_endian);
}

double value_at(const NpyHeader& header, const std::byte* values, size_t position) {
  const std::byte* source = values + position * header.item_size;
  if (header.kind == 'f')
    return header.item_size == 4 ? value_at<float>(source, header.big_endian)
                                 : value_at<double>(source, header.big_endian);
  switch (header.item_size) {
    case 1:
      return whole_value_at<std::int8_t>(header, source);
    case 2:
      return whole_value_at<std::int16_t>(header, source);
    case 4:
      return whole_value_at<std::int32_t>(header, source);
    default:
      return whole_value_at<std::int64_t>(header, source);
  }
}

std::vector<double> in_c_order(const NpyHeader& header, const std::byte* source) {
  std::vector<double> values(header.count);
  for (size_t i = 0; i < header.count; ++i) values[i] = value_at(header, source, i);
  return values;
}

// Counts through the C order with one counter per dimension and follows along in the file.
std::vector<double> from_fortran_order(const NpyHeader& header, const std::byte* source) {
  const size_t dimensions = header.shape.size();
  std::vector<size_t> stride(dimensions, 1);
  for (size_t k = 1; k < dimensions; ++k) stride[k] = stride[k - 1] * static_cast<size_t>(header.shape[k - 1]);
  std::vector<Index> index(dimensions, 0);
  std::vector<double> values(header.count);
  size_t position = 0;
  for (double& value : values) {
    value = value_at(header, source, position);
    for (size_t k = dimensions; k-- > 0;) {
      position += stride[k];
      if (++index[k] < header.shape[k]) break;
      position -= stride[k] * static_cast<size_t>(header.shape[k]);
      index[k] = 0;
    }
  }
  return values;
}

template <typename Float>
void write_array(const std::filesystem::path& path, std::span<const Float> values, const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  ensure(count == static_cast<Index>(values.size()), "the shape of an array to write fits its values");
  const std::string header = format_npy_header(sizeof(Float) == 4 ? "<f4" : "<f8", shape);
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(header)));
  file.write(std::as_bytes(values));
  file.commit();
}

}  // namespace

namespace {

NpyArray parse(std::span<const std::byte> bytes, std::string_view name, NpyTypes types) {
  const NpyHeader header = parse_npy_header(bytes, name, types);
  const size_t present = bytes.size() - header.values_offset;
  if (present != header.count * header.item_size) {
    throw DataError(fmt::format("{}: the shape {} needs {} bytes of values, the file holds {}", name,
                                format_shape(header.shape), header.count * header.item_size, present));
  }
  const std::byte* source = bytes.data() + header.values_offset;
  return {header.shape, header.fortran_order ? from_fortran_order(header, source) : in_c_order(header, source)};
}

}  // namespace

NpyArray parse_npy(std::span<const std::byte> bytes, std::string_view name) {
  return parse(bytes, name, NpyTypes::kFloats);
}

NpyArray read_npy_numbers(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse(file.bytes(), path.string(), NpyTypes::kNumbers);
}

NpyArray read_npy(const std::filesystem::path& path) {
  const MappedFile file(path);
  return parse_npy(file.bytes(), path.string());
}

Matrix read_npy_matrix(const std::filesystem::path& path) {
  const NpyArray array = read_npy(path);
  if (array.shape.size() != 2) {
    throw DataError(fmt::format("{}: expected a matrix (two dimensions), found shape {}", path.string(),
                                format_shape(array.shape)));
  }
  return Eigen::Map<const Matrix>(array.values.data(), array.shape[0], array.shape[1]);
}

void write_npy(const std::filesystem::path& path, std::span<const double> values, const std::vector<Index>& shape) {
  write_array(path, values, shape);
}

void write_npy(const std::filesystem::path& path, std::span<const float> values, const std::vector<Index>& shape) {
  write_array(path, values, shape);
}

void write_npy(const std::filesystem::path& path, const Matrix& X) {
  write_npy(path, std::span<const double>(X.data(), static_cast<size_t>(X.size())), {X.rows(), X.cols()});
}

}  // namespace wordsway
