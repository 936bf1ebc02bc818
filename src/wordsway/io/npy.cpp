#include "wordsway/io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/array_shape.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/input_file.h"
#include "wordsway/io/npy_header.h"

namespace wordsway {
namespace {

static_assert(std::endian::native == std::endian::little, "byte orders are decided for little-endian machines");

// An npy file, on disk or in memory: its size and a way to read it.
struct Source {
  std::string name;  // for messages
  size_t size;
  std::function<void(size_t offset, std::span<std::byte> out)> read;
};

NpyHeader read_header(const Source& source, NpyTypes types) {
  std::vector<std::byte> front(std::min(source.size, kMostNpyHeaderBytes));
  source.read(0, front);
  NpyHeader header = parse_npy_header(front, source.size, source.name, types);
  const size_t present = source.size - header.values_offset;
  if (present != header.count * header.item_size) {
    throw DataError(fmt::format("{}: the shape {} needs {} bytes of values, the file holds {}", source.name,
                                format_shape(header.shape), header.count * header.item_size, present));
  }
  return header;
}

template <typename Number>
void convert(std::span<const std::byte> source, bool swap, std::span<double> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    std::array<std::byte, sizeof(Number)> bytes;
    std::memcpy(bytes.data(), source.data() + i * sizeof(Number), sizeof(Number));
    if (swap) std::reverse(bytes.begin(), bytes.end());
    values[i] = static_cast<double>(std::bit_cast<Number>(bytes));
  }
}

template <typename Signed>
void convert_whole(const NpyHeader& header, std::span<const std::byte> source, std::span<double> values) {
  if (header.kind == 'i') return convert<Signed>(source, header.big_endian, values);
  convert<std::make_unsigned_t<Signed>>(source, header.big_endian, values);
}

void convert(const NpyHeader& header, std::span<const std::byte> source, std::span<double> values) {
  const bool floats = header.kind == 'f';
  switch (header.item_size) {
    case 1:
      return convert_whole<std::int8_t>(header, source, values);
    case 2:
      return convert_whole<std::int16_t>(header, source, values);
    case 4:
      return floats ? convert<float>(source, header.big_endian, values)
                    : convert_whole<std::int32_t>(header, source, values);
    default:
      return floats ? convert<double>(source, header.big_endian, values)
                    : convert_whole<std::int64_t>(header, source, values);
  }
}

// Where the values of a Fortran-ordered file go in C order: one counter per dimension, the first runs fastest.
class FortranOrder {
 public:
  explicit FortranOrder(const std::vector<Index>& shape)
      : shape_(shape), index_(shape.size(), 0), stride_(shape.size(), 1) {
    for (size_t k = shape.size(); k-- > 1;) stride_[k - 1] = stride_[k] * static_cast<size_t>(shape[k]);
  }

  size_t next() {
    const size_t result = position_;
    for (size_t k = 0; k < shape_.size(); ++k) {
      position_ += stride_[k];
      if (++index_[k] < shape_[k]) break;
      position_ -= stride_[k] * static_cast<size_t>(shape_[k]);
      index_[k] = 0;
    }
    return result;
  }

 private:
  const std::vector<Index>& shape_;
  std::vector<Index> index_;
  std::vector<size_t> stride_;
  size_t position_ = 0;
};

// Piece by piece, so that a large array is not held twice.
void read_values(const Source& source, const NpyHeader& header, std::span<double> values) {
  constexpr size_t kPiece = size_t{1} << 15;
  std::vector<std::byte> bytes(std::min(values.size(), kPiece) * header.item_size);
  std::vector<double> piece(header.fortran_order ? std::min(values.size(), kPiece) : 0);
  FortranOrder order(header.shape);
  for (size_t begin = 0; begin < values.size(); begin += kPiece) {
    const size_t count = std::min(kPiece, values.size() - begin);
    const std::span<std::byte> read = std::span(bytes).first(count * header.item_size);
    source.read(header.values_offset + begin * header.item_size, read);
    const std::span<double> target =
        header.fortran_order ? std::span(piece).first(count) : values.subspan(begin, count);
    convert(header, read, target);
    if (!header.fortran_order) continue;
    for (const double value : target) values[order.next()] = value;
  }
}

NpyArray read_array(const Source& source, NpyTypes types) {
  const NpyHeader header = read_header(source, types);
  NpyArray array{header.shape, std::vector<double>(header.count)};
  read_values(source, header, array.values);
  return array;
}

Source source_of(const InputFile& file) {
  return {file.path().string(), file.size(),
          [&file](size_t offset, std::span<std::byte> out) { file.read(offset, out); }};
}

NpyArray read_file(const std::filesystem::path& path, NpyTypes types) {
  const InputFile file(path);
  NpyArray array = read_array(source_of(file), types);
  file.check_unchanged();
  return array;
}

template <typename Float>
const char* type_name() {
  return sizeof(Float) == 4 ? "<f4" : "<f8";
}

template <typename Float>
void write_array(const std::filesystem::path& path, std::span<const Float> values, const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index extent : shape) count *= extent;
  if (count != static_cast<Index>(values.size()))
    throw DataError(fmt::format("{}: an array of {} values cannot be written with a shape of {}", path.string(),
                                values.size(), count));
  const std::string header = format_npy_header(type_name<Float>(), shape);
  AtomicFile file(path);
  file.write(std::as_bytes(std::span(header)));
  file.write(std::as_bytes(values));
  file.commit();
}

}  // namespace

NpyArray parse_npy(std::span<const std::byte> bytes, std::string_view name) {
  const auto read = [&](size_t offset, std::span<std::byte> out) {
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
  };
  return read_array({std::string(name), bytes.size(), read}, NpyTypes::kFloats);
}

NpyArray read_npy_numbers(const std::filesystem::path& path) {
  return read_file(path, NpyTypes::kNumbers);
}

NpyArray read_npy(const std::filesystem::path& path) {
  return read_file(path, NpyTypes::kFloats);
}

Matrix read_npy_matrix(const std::filesystem::path& path) {
  const InputFile file(path);
  const Source source = source_of(file);
  const NpyHeader header = read_header(source, NpyTypes::kFloats);
  if (header.shape.size() != 2) {
    throw DataError(fmt::format("{}: expected a matrix (two dimensions), found shape {}", path.string(),
                                format_shape(header.shape)));
  }
  Matrix result(header.shape[0], header.shape[1]);
  read_values(source, header, std::span<double>(result.data(), header.count));
  file.check_unchanged();
  return result;
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

void write_npy(const std::filesystem::path& path, const Vector& values) {
  write_npy(path, std::span<const double>(values.data(), static_cast<size_t>(values.size())), {values.size()});
}

template <typename Float>
NpyRowWriter<Float>::NpyRowWriter(const std::filesystem::path& path, std::vector<Index> row_shape,
                                  std::optional<Index> rows)
    : file_(path), row_shape_(std::move(row_shape)), promised_(rows) {
  for (const Index size : row_shape_) row_size_ *= size;
  if (row_size_ < 1) throw DataError(fmt::format("{}: rows of an array need at least one number", path.string()));
  const std::string header = format_npy_header(type_name<Float>(), shape_of(rows.value_or(0)));
  file_.write(std::as_bytes(std::span(header)));
}

template <typename Float>
std::vector<Index> NpyRowWriter<Float>::shape_of(Index rows) const {
  std::vector<Index> shape = {rows};
  shape.insert(shape.end(), row_shape_.begin(), row_shape_.end());
  return shape;
}

template <typename Float>
void NpyRowWriter<Float>::append(std::span<const Float> values) {
  const auto size = static_cast<Index>(values.size());
  if (size % row_size_ != 0) throw DataError(fmt::format("rows have {} numbers; got {}", row_size_, size));
  file_.write(std::as_bytes(values));
  count_ += size;
}

template <typename Float>
void NpyRowWriter<Float>::commit() {
  if (promised_ && *promised_ != rows())
    throw DataError(fmt::format("{} rows were expected; got {}", *promised_, rows()));
  if (!promised_) {
    // As long as the one it replaces: headers are filled up to 128 bytes, and shapes do not come near that.
    const std::string header = format_npy_header(type_name<Float>(), shape());
    ensure(header.size() == format_npy_header(type_name<Float>(), shape_of(0)).size(), "headers have one length");
    file_.overwrite_begin(std::as_bytes(std::span(header)));
  }
  file_.commit();
}

template class NpyRowWriter<float>;
template class NpyRowWriter<double>;

}  // namespace wordsway
