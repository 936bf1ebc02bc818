// The kernels of attention on the CUDA device against attention written down in double.
#include "wordsway/cuda/attention_kernels.cuh"

#include <bit>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "cuda/on_the_device.h"
#include "wordsway/core/matrix.h"
#include "wordsway/cuda/device_linear.cuh"
#include "wordsway/random/gaussian.h"

namespace wordsway::cuda {
namespace {

struct Case {
  std::vector<int> lengths;
  int heads, kv_heads, width;
  bool causal = false;
  int window = -1;
  bool with_distances = false;
};

void PrintTo(const Case& at, std::ostream* out) {
  *out << "texts of";
  for (const int n : at.lengths) *out << " " << n;
  *out << " heads " << at.heads << "/" << at.kv_heads << " of " << at.width << (at.causal ? " causal" : "")
       << " window " << at.window << (at.with_distances ? " with distances" : "");
}

float rounded(float x) {  // to bfloat16
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u);
}

// What a product of the precision would have written, on the device.
Buffer on_device(const Queue& queue, const MatrixF& from, Precision precision) {
  if (precision != Precision::kBf16) return upload_floats(queue, from.data(), from.size());
  std::vector<std::uint16_t> halves;
  for (Index k = 0; k < from.size(); ++k)
    halves.push_back(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(from.data()[k]) >> 16));
  Buffer to(2 * halves.size());
  queue.upload(std::span<const std::uint16_t>(halves), to.as<std::uint16_t>());
  queue.wait();
  return to;
}

// What a product of the precision would read.
MatrixF from_device(const Queue& queue, const void* from, Index rows, Index columns, Precision precision) {
  MatrixF found(rows, columns);
  if (precision == Precision::kBf16) {
    std::vector<std::uint16_t> halves(static_cast<size_t>(found.size()));
    queue.download(static_cast<const std::uint16_t*>(from), std::span(halves));
    for (Index k = 0; k < found.size(); ++k)
      found.data()[k] = std::bit_cast<float>(static_cast<std::uint32_t>(halves[static_cast<size_t>(k)]) << 16);
  } else {
    queue.download(static_cast<const float*>(from), std::span(found.data(), static_cast<size_t>(found.size())));
  }
  return found;
}

class AttentionKernels : public test::OnTheDevice, public testing::WithParamInterface<Case> {
 protected:
  // Attention of every text and head, and its vjp.
  void compute_reference() {
    const Case& at = GetParam();
    const Index w = at.width;
    const Matrix all = qkv.cast<double>();
    context.setZero(rows, at.heads * w);
    qkv_cotangent.setZero(rows, all.cols());
    for (size_t text = 0; text < at.lengths.size(); ++text)
      for (Index h = 0; h < at.heads; ++h) {
        const Index begin = begins[text], n = at.lengths[text], g = h * at.kv_heads / at.heads;
        const Index key = (at.heads + g) * w, value = (at.heads + at.kv_heads + g) * w;
        const Matrix Q = all.block(begin, h * w, n, w), K = all.block(begin, key, n, w),
                     V = all.block(begin, value, n, w);
        Matrix P = scale * (Q * K.transpose());
        for (Index q = 0; q < n; ++q)
          for (Index k = 0; k < n; ++k) {
            if (at.with_distances) P(q, k) += static_cast<double>(distances(h, k - q + most - 1));
            const bool seen = !(at.causal && k > q) && (at.window < 0 || std::abs(k - q) <= at.window);
            P(q, k) = seen ? std::exp(P(q, k)) : 0;
          }
        for (Index q = 0; q < n; ++q) P.row(q) /= P.row(q).sum();
        context.block(begin, h * w, n, w) = P * V;
        const Matrix dO = cotangent.block(begin, h * w, n, w).cast<double>();
        Matrix dS = dO * V.transpose();
        for (Index q = 0; q < n; ++q)
          dS.row(q) = P.row(q).cwiseProduct((dS.row(q).array() - P.row(q).dot(dS.row(q))).matrix());
        qkv_cotangent.block(begin, h * w, n, w) += scale * (dS * K);
        qkv_cotangent.block(begin, key, n, w) += scale * (dS.transpose() * Q);
        qkv_cotangent.block(begin, value, n, w) += P.transpose() * dO;
      }
  }

  void fill(Precision precision) {
    const Case& at = GetParam();
    begins.assign(1, 0);
    for (const int n : at.lengths) begins.push_back(begins.back() + n);
    rows = begins.back();
    most = *std::max_element(at.lengths.begin(), at.lengths.end());
    scale = 1 / std::sqrt(static_cast<float>(at.width));
    const Index columns = (at.heads + 2 * at.kv_heads) * at.width;
    const auto draw = [&](const char* name, Index of_rows, Index of_columns, double size) {
      MatrixF drawn = gaussian_matrix(Stream(5).derive(name), of_rows, of_columns, size).cast<float>();
      if (precision == Precision::kBf16) drawn = drawn.unaryExpr(&rounded);
      return drawn;
    };
    qkv = draw("qkv", rows, columns, 1);
    cotangent = draw("cotangent", rows, at.heads * at.width, 1e-3);
    distances = draw("distances", at.heads, 2 * most - 1, 1);
    compute_reference();
  }

  Index rows = 0;
  int most = 0;
  float scale = 1;
  std::vector<int> begins;
  MatrixF qkv, cotangent, distances;
  Matrix context, qkv_cotangent;
};

double relative_error(const Matrix& got, const Matrix& expected) {
  return (got - expected).norm() / expected.norm();
}

TEST_P(AttentionKernels, HaveTheValuesAndTheVjpOfAttention) {
  const Case& at = GetParam();
  for (const auto& [precision, bound] :
       {std::pair(Precision::kF32, 1e-5), {Precision::kTf32, 2e-3}, {Precision::kBf16, 2e-2}}) {
    SCOPED_TRACE(to_string(precision));
    fill(precision);
    const Queue queue;
    const auto ints = [&](const std::vector<int>& numbers) {
      Buffer to(sizeof(int) * numbers.size());
      queue.upload(std::span<const int>(numbers), to.as<int>());
      return to;
    };
    const Buffer from = on_device(queue, qkv, precision), starts = ints(begins);
    const Buffer by_distance = upload_floats(queue, distances.data(), distances.size());
    const int inner = at.heads * at.width;
    Buffer operand(operand_bytes(precision, rows, inner)), plain(float_bytes(rows, inner));
    const Buffer log_sums(float_bytes(rows, at.heads)), dots(float_bytes(rows, at.heads));
    const Buffer largest(sizeof(unsigned) * at.lengths.size()), found(float_bytes(rows, qkv.cols()));
    AttentionCall call;
    call.heads = at.heads;
    call.kv_heads = at.kv_heads;
    call.width = at.width;
    call.scale = scale;
    call.causal = at.causal;
    call.window = at.window;
    if (at.with_distances) call.distance_bias = by_distance.as<float>();
    call.most = most;
    call.qkv = from.as<void>();
    call.texts = {static_cast<int>(at.lengths.size()), most, starts.as<int>(), nullptr};
    call.precision = precision;
    const bool apart = precision == Precision::kF32;
    attention_forward(queue.stream(), call, apart ? plain.as<float>() : nullptr, {operand.as<void>(), inner, precision},
                      log_sums.as<float>());
    const void* result = apart ? plain.as<void>() : operand.as<void>();
    EXPECT_LT(relative_error(from_device(queue, result, rows, inner, precision).cast<double>(), context), bound);
    const Buffer outs = on_device(queue, cotangent, precision);
    const auto go_back = [&](float* floats, const Operand& as_operand) {
      check(cudaMemsetAsync(found.as<void>(), 0xff, found.bytes(), queue.stream()), "poisoning");
      attention_backward(queue.stream(), call, result, log_sums.as<float>(), outs.as<void>(),
                         {dots.as<float>(), largest.as<unsigned>()}, floats, as_operand);
      check(cudaGetLastError(), "attention");
    };
    go_back(found.as<float>(), {nullptr, 0, precision});
    const MatrixF slopes = from_device(queue, found.as<void>(), rows, qkv.cols(), Precision::kF32);
    EXPECT_LT(relative_error(slopes.cast<double>(), qkv_cotangent), bound);
    go_back(found.as<float>(), {nullptr, 0, precision});
    EXPECT_EQ(from_device(queue, found.as<void>(), rows, qkv.cols(), Precision::kF32), slopes);
    if (apart) continue;
    go_back(nullptr, {found.as<void>(), static_cast<int>(qkv.cols()), precision});
    const MatrixF expected = precision == Precision::kBf16 ? MatrixF(slopes.unaryExpr(&rounded)) : slopes;
    EXPECT_EQ(from_device(queue, found.as<void>(), rows, qkv.cols(), precision), expected);
  }
}

// Up to 32, 128 and 256 rows a text is whole in a block of its own shape; longer ones go through two kernels.
INSTANTIATE_TEST_SUITE_P(Shapes, AttentionKernels,
                         testing::Values(Case{{1, 7, 32, 31}, 2, 2, 32}, Case{{33, 128, 1, 100}, 3, 3, 32},
                                         Case{{129, 256, 17}, 2, 2, 32}, Case{{257, 300, 2}, 2, 2, 32},
                                         Case{{20, 5}, 2, 2, 64}, Case{{128, 65}, 3, 3, 64}, Case{{250, 190}, 2, 2, 64},
                                         Case{{400}, 1, 1, 64}, Case{{30}, 2, 2, 128}, Case{{90, 128}, 2, 2, 128},
                                         Case{{200}, 2, 2, 128}, Case{{50, 70}, 2, 2, 24}, Case{{140}, 2, 2, 48},
                                         Case{{120, 40}, 2, 2, 100}, Case{{100, 30}, 4, 2, 32},
                                         Case{{100, 250}, 2, 2, 32, true}, Case{{120, 200}, 2, 2, 64, false, 20},
                                         Case{{90, 140}, 2, 2, 32, false, -1, true}, Case{{290}, 2, 2, 64, true, 33}));

}  // namespace
}  // namespace wordsway::cuda
