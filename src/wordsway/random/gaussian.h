// Normal numbers from streams, by Box and Muller's method: exact in distribution, two numbers a counter.
#pragma once

#include <cstdint>
#include <span>

#include "wordsway/core/matrix.h"
#include "wordsway/random/stream.h"

namespace wordsway {

/// out[j] = the (offset + j)-th N(0, scale²) number of the stream.
void fill_gaussian(const Stream& stream, std::uint64_t offset, std::span<double> out, double scale = 1);

/// The oracle of fill_gaussian: computes one number through std::log and std::sin, equal up to rounding.
double gaussian_reference(const Stream& stream, std::uint64_t position);

/// [rows, columns] matrix of N(0, scale²) entries: entry (a, b) is number a·columns + b of the stream.
/// Filled in parallel.
Matrix gaussian_matrix(const Stream& stream, Index rows, Index columns, double scale = 1);

Vector gaussian_vector(const Stream& stream, Index size, double scale = 1);

}  // namespace wordsway
