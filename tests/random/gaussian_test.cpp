#include "wordsway/random/gaussian.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "wordsway/core/parallel.h"

namespace wordsway {
namespace {

TEST(FillGaussian, AgreesWithTheReferenceToRounding) {
  const Stream stream = Stream(3).derive("test");
  std::vector<double> numbers(5000);
  fill_gaussian(stream, 0, numbers);
  for (size_t t = 0; t < numbers.size(); ++t) {
    const double expected = gaussian_reference(stream, t);
    ASSERT_NEAR(numbers[t], expected, 1e-14 * (1 + std::abs(expected))) << t;
  }
}

TEST(FillGaussian, ANumberDoesNotDependOnWhatIsAskedWithIt) {
  const Stream stream(9);
  std::vector<double> whole(3000), part(777);
  fill_gaussian(stream, 0, whole);
  for (const size_t offset : {size_t{0}, size_t{1}, size_t{511}, size_t{512}, size_t{2000}}) {
    fill_gaussian(stream, offset, part);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + static_cast<long>(offset))) << offset;
  }
}

TEST(FillGaussian, ScalesExactlyLikeItsDefinition) {
  const Stream stream(9);
  std::vector<double> one(100), half(100);
  fill_gaussian(stream, 0, one);
  fill_gaussian(stream, 0, half, 0.5);
  for (size_t t = 0; t < one.size(); ++t) EXPECT_EQ(half[t], 0.5 * one[t]);
}

// Moments and the distribution function of a million numbers, at four standard errors.
TEST(FillGaussian, IsStandardNormal) {
  std::vector<double> numbers(1'000'000);
  fill_gaussian(Stream(2024), 0, numbers);
  double moment[5] = {};
  for (const double x : numbers)
    for (int k = 1; k <= 4; ++k) moment[k] += std::pow(x, k) / static_cast<double>(numbers.size());
  EXPECT_NEAR(moment[1], 0, 4e-3);
  EXPECT_NEAR(moment[2], 1, 4e-3 * std::sqrt(2));
  EXPECT_NEAR(moment[3], 0, 4e-3 * std::sqrt(15));
  EXPECT_NEAR(moment[4], 3, 4e-3 * std::sqrt(96));
  std::sort(numbers.begin(), numbers.end());
  double distance = 0;
  for (size_t t = 0; t < numbers.size(); ++t) {
    const double empirical = static_cast<double>(t) / static_cast<double>(numbers.size());
    distance = std::max(distance, std::abs(empirical - 0.5 * std::erfc(-numbers[t] / std::sqrt(2))));
  }
  EXPECT_LT(distance, 1.95e-3);  // Kolmogorov–Smirnov at 0.1%
}

TEST(GaussianMatrix, HasTheSameBitsForAnyNumberOfThreads) {
  set_thread_count(1);
  const Matrix one = gaussian_matrix(Stream(5), 300, 211);
  set_thread_count(4);
  EXPECT_EQ(one, gaussian_matrix(Stream(5), 300, 211));
  set_thread_count(2);
}

TEST(Stream, DerivedStreamsDiffer) {
  const Stream root(1);
  const std::vector<Stream> streams = {root,
                                       root.derive(0),
                                       root.derive(1),
                                       root.derive("0"),
                                       root.derive("weights"),
                                       root.derive("data"),
                                       root.derive(0).derive(1),
                                       root.derive(1).derive(0),
                                       Stream(2),
                                       Stream(2).derive(0)};
  for (size_t a = 0; a < streams.size(); ++a)
    for (size_t b = a + 1; b < streams.size(); ++b) EXPECT_NE(streams[a].bits(0), streams[b].bits(0)) << a << ' ' << b;
}

TEST(Stream, UniformNumbersStayInsideTheOpenInterval) {
  EXPECT_GT(to_unit_interval(0, 0), 0);
  EXPECT_LT(to_unit_interval(0xffffffff, 0xffffffff), 1);
  double sum = 0;
  for (std::uint64_t t = 0; t < 10000; ++t) sum += Stream(1).uniform(t);
  EXPECT_NEAR(sum / 10000, 0.5, 4 * 0.289 / 100);
}

}  // namespace
}  // namespace wordsway
