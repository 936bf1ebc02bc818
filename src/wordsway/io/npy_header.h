// The header of a NumPy .npy file, format versions 1.0, 2.0 and 3.0:
//
//   "\x93NUMPY"  major  minor  length (2 bytes in version 1, 4 from 2 on, little endian)  Python dictionary literal
//
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
//
// Keys come in any order, spaces and a trailing comma are free; anything else is refused.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/core/matrix.h"

namespace wordsway {

struct NpyHeader {
  char kind = 'f';             // 'f' IEEE floating point, 'i' and 'u' whole numbers with and without sign
  size_t item_size = 8;        // bytes: 4 or 8; whole numbers also 1 or 2
  bool big_endian = false;     // byte order of the values
  bool fortran_order = false;  // first index runs fastest
  std::vector<Index> shape;    // empty for a single number
  size_t count = 1;            // product of the shape; count · item_size fits in memory addresses
  size_t values_offset = 0;    // where the values start in the file
};

/// Which types of values a reader takes.
enum class NpyTypes { kFloats, kNumbers };  // kNumbers: whole numbers as well

/// A file's first bytes, as many as any header has that is read; a longer header is refused. NumPy's own have hundreds.
inline constexpr size_t kMostNpyHeaderBytes = size_t{1} << 20;

/// `front` is the whole file, of `file_size` bytes, or its first kMostNpyHeaderBytes. `name` is what messages call it.
/// Throws DataError on anything malformed or on values of another type. Says nothing about whether the values are
/// there.
NpyHeader parse_npy_header(std::span<const std::byte> front, size_t file_size, std::string_view name, NpyTypes types);

/// The header NumPy itself writes for C-ordered values of type `descr`.
std::string format_npy_header(std::string_view descr, const std::vector<Index>& shape);

// The Python dictionary literal inside an npy header.

struct NpyDictionary {
  std::string descr;  // type of the values, not yet understood
  bool fortran_order = false;
  std::vector<Index> shape;  // no entry is negative
};

/// Each of the three keys exactly once, no other. Throws DataError otherwise; `name` is what messages call the file.
NpyDictionary parse_npy_dictionary(std::string_view text, std::string_view name);

}  // namespace wordsway
