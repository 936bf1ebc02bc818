#include "wordsway/random/gaussian.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "wordsway/core/parallel.h"
#include "wordsway/random/stream.h"

namespace wordsway {
namespace {

// Numbers come in blocks of one philox_lanes call, always computed whole, so a number does not depend on how much of
// its block was requested.
constexpr std::uint64_t kBlock = 2 * kPhiloxLanes;
using Lanes = Eigen::Array<double, kPhiloxLanes, 1>;

// The nearest whole number, for |x| < 2^51: adding 1.5·2^52 leaves no bits for a fraction. (GCC does not vectorise
// std::floor and its kin unless told to ignore floating-point traps.)
inline double nearest(double x) {
  constexpr double kNoFraction = 0x1.8p52;
  return (x + kNoFraction) - kNoFraction;
}

// ⌊whole/2⌋.
inline double half_below(double whole) {
  return nearest(0.5 * whole - 0.25);
}

// sin and cos of 2π·turn for turn in (0, 1). The nearest quarter turn is taken off exactly; the polynomials are those
// of Cephes on [−π/4, π/4], relative error below 2e-16.
void sine_cosine_of_turn(const double* __restrict turn, double* __restrict sine, double* __restrict cosine) {
  for (Index lane = 0; lane < kPhiloxLanes; ++lane) {
    const double quarter = nearest(4 * turn[lane]);
    const double x = 2 * std::numbers::pi * (turn[lane] - 0.25 * quarter);
    const double y = x * x;
    const double s = x + x * y *
                             (-1.66666666666666307295e-1 +
                              y * (8.33333333332211858878e-3 +
                                   y * (-1.98412698295895385996e-4 +
                                        y * (2.75573136213857245213e-6 +
                                             y * (-2.50507477628578072866e-8 + y * 1.58962301576546568060e-10)))));
    const double c = 1 - 0.5 * y +
                     y * y *
                         (4.16666666666665929218e-2 +
                          y * (-1.38888888888730564116e-3 +
                               y * (2.48015872888517179954e-5 +
                                    y * (-2.75573141792967388112e-7 +
                                         y * (2.08757008419747316778e-9 - y * 1.13585365213876817300e-11)))));
    // An odd number of quarters swaps the two; the halves they fall in give the signs. Written without branches.
    const double half = half_below(quarter), odd = quarter - 2 * half;
    const double sine_sign = 1 - 2 * (half - 2 * half_below(half));
    const double next_half = half_below(quarter + 1);
    const double cosine_sign = 1 - 2 * (next_half - 2 * half_below(next_half));
    sine[lane] = sine_sign * (odd * c + (1 - odd) * s);
    cosine[lane] = cosine_sign * (odd * s + (1 - odd) * c);
  }
}

void gaussian_block(const Stream& stream, std::uint64_t block, double scale, double* out) {
  std::array<std::uint32_t, kPhiloxLanes> words[4];
  const std::uint64_t key = stream.key();
  philox_lanes(block * kPhiloxLanes, {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}, words);
  Lanes radius, turn, sine, cosine;
  for (size_t lane = 0; lane < kPhiloxLanes; ++lane) {
    radius[static_cast<Index>(lane)] = to_unit_interval(words[0][lane], words[1][lane]);
    turn[static_cast<Index>(lane)] = to_unit_interval(words[2][lane], words[3][lane]);
  }
  radius = scale * (-2 * radius.log()).sqrt();
  sine_cosine_of_turn(turn.data(), sine.data(), cosine.data());
  for (Index lane = 0; lane < kPhiloxLanes; ++lane) {
    out[2 * lane] = radius[lane] * cosine[lane];
    out[2 * lane + 1] = radius[lane] * sine[lane];
  }
}

}  // namespace

void fill_gaussian(const Stream& stream, std::uint64_t offset, std::span<double> out, double scale) {
  double partial[kBlock];
  std::uint64_t filled = 0;
  while (filled < out.size()) {
    const std::uint64_t block = (offset + filled) / kBlock, skip = (offset + filled) % kBlock;
    const std::uint64_t take = std::min<std::uint64_t>(kBlock - skip, out.size() - filled);
    if (take == kBlock) {
      gaussian_block(stream, block, scale, out.data() + filled);
    } else {
      gaussian_block(stream, block, scale, partial);
      std::copy_n(partial + skip, take, out.data() + filled);
    }
    filled += take;
  }
}

double gaussian_reference(const Stream& stream, std::uint64_t position) {
  const auto words = stream.bits(position / 2);
  const double radius = std::sqrt(-2 * std::log(to_unit_interval(words[0], words[1])));
  const double angle = 2 * std::numbers::pi * to_unit_interval(words[2], words[3]);
  return radius * (position % 2 == 0 ? std::cos(angle) : std::sin(angle));
}

Matrix gaussian_matrix(const Stream& stream, Index rows, Index columns, double scale) {
  Matrix result(rows, columns);
  const Blocks blocks{result.size(), Index{64} * static_cast<Index>(kBlock)};
  parallel_for(blocks.count(), [&](Index b) {
    const Index begin = blocks.begin(b);
    fill_gaussian(stream, static_cast<std::uint64_t>(begin),
                  {result.data() + begin, static_cast<size_t>(blocks.length(b))}, scale);
  });
  return result;
}

Vector gaussian_vector(const Stream& stream, Index size, double scale) {
  Vector result(size);
  fill_gaussian(stream, 0, {result.data(), static_cast<size_t>(size)}, scale);
  return result;
}

}  // namespace wordsway
