#include "support/roofs.h"

#include <chrono>
#include <map>

#include "wordsway/core/matrix.h"
#include "wordsway/core/parallel.h"

namespace wordsway::bench {
namespace {

volatile double sink;

// Eight sums at once keep the loads, not the additions, in the way.
double sum(const double* values, Index count) {
  Eigen::Array<double, 8, 1> sums[4];
  for (auto& part : sums) part.setZero();
  for (Index k = 0; k + 32 <= count; k += 32)
    for (Index part = 0; part < 4; ++part)
      sums[part] += Eigen::Map<const Eigen::Array<double, 8, 1>>(values + k + 8 * part);
  return (sums[0] + sums[1] + sums[2] + sums[3]).sum();
}

}  // namespace

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double read_bandwidth(double bytes) {
  static std::map<Index, double> measured;
  const Index count = static_cast<Index>(bytes / sizeof(double));
  if (const auto found = measured.find(count); found != measured.end()) return found->second;
  const Vector values = Vector::Ones(count);
  const double seconds = fastest([&] { sink = sum(values.data(), count); });
  return measured[count] = bytes / seconds;
}

double read_bandwidth_of_threads(double bytes, int threads) {
  const Index count = static_cast<Index>(bytes / sizeof(double));
  static Vector values;
  if (values.size() != count) values = Vector::Ones(count);
  const Blocks parts{count, (count + threads - 1) / threads};
  const double seconds = fastest([&] {
    parallel_for(parts.count(), [&](Index k) { sink = sum(values.data() + parts.begin(k), parts.length(k)); });
  });
  return bytes / seconds;
}

double peak_flops() {
  static const double peak = [] {
    constexpr Index kSize = 768;
    const Matrix A = Matrix::Random(kSize, kSize), B = Matrix::Random(kSize, kSize);
    Matrix C(kSize, kSize);
    const double seconds = fastest([&] {
      C.noalias() = A * B;
      sink = C(0, 0);
    });
    return 2.0 * kSize * kSize * kSize / seconds;
  }();
  return peak;
}

}  // namespace wordsway::bench
