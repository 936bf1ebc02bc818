// Arrays as NumPy's .npy files: floating point numbers of 4 or 8 bytes, any byte order, C or Fortran order.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"
#include "wordsway/io/atomic_file.h"

namespace wordsway {

struct NpyArray {
  std::vector<Index> shape;    // empty for a single number
  std::vector<double> values;  // in C order (last index runs fastest), whatever the file's order

  bool operator==(const NpyArray&) const = default;
};

/// Throws FileError when the file cannot be read or changes meanwhile, and DataError when it is not what its header
/// says. Values may be NaN.
NpyArray read_npy(const std::filesystem::path& path);

/// As read_npy, and whole numbers of 1 to 8 bytes too: labels are often written as such.
NpyArray read_npy_numbers(const std::filesystem::path& path);

/// Reads an array from memory; messages call it `name`. Allocates only after the size was found to be right.
NpyArray parse_npy(std::span<const std::byte> bytes, std::string_view name);

/// As read_npy; throws DataError also when the array has not exactly two dimensions.
Matrix read_npy_matrix(const std::filesystem::path& path);

/// Writes `values`, in C order, as '<f8' or '<f4', laid out as numpy.save does. The file appears complete or not
/// at all (io/atomic_file.h). Throws FileError when it cannot be written and DataError when the shape does not fit.
void write_npy(const std::filesystem::path& path, std::span<const double> values, const std::vector<Index>& shape);
void write_npy(const std::filesystem::path& path, std::span<const float> values, const std::vector<Index>& shape);
void write_npy(const std::filesystem::path& path, const Matrix& X);
void write_npy(const std::filesystem::path& path, const Vector& values);

/// Writes an array row by row, for those that are larger than memory: '<f4' for floats, '<f8' for doubles. The file is
/// the one that write_npy writes, and appears complete or not at all.
template <typename Float>
class NpyRowWriter {
 public:
  /// A row has this shape. How many rows there will be is said here or found out; a pipe does not allow the second.
  /// Throws FileError when the file cannot be written.
  NpyRowWriter(const std::filesystem::path& path, std::vector<Index> row_shape, std::optional<Index> rows = {});

  /// Any number of whole rows. Throws DataError when it is not whole.
  void append(std::span<const Float> values);
  /// Throws DataError when there are not as many rows as was said.
  void commit();

  Index rows() const { return count_ / row_size_; }
  /// The shape of everything that was appended.
  std::vector<Index> shape() const { return shape_of(rows()); }

 private:
  std::vector<Index> shape_of(Index rows) const;

  AtomicFile file_;
  std::vector<Index> row_shape_;
  std::optional<Index> promised_;
  Index row_size_ = 1, count_ = 0;
};

extern template class NpyRowWriter<float>;
extern template class NpyRowWriter<double>;

}  // namespace wordsway
