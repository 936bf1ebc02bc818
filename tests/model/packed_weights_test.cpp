#include "wordsway/model/products/packed_weights.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "model/reference.h"
#include "wordsway/core/error.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/half_float.h"

namespace wordsway::test {
namespace {

struct Shape {
  Index n, in, out;
};

class PackedWeightsOf : public testing::TestWithParam<Shape> {
 protected:
  const Index n = GetParam().n, in = GetParam().in, out = GetParam().out;
  const MatrixF W = random_matrix(out, in, 1), x = random_matrix(n, in, 2), cotangent = random_matrix(n, out, 3);
  const RowF bias = random_row(out, 4, 1.f);
  const PackedWeights packed{W};

  MatrixF forward(const Epilogue& epilogue = {}) const {
    MatrixF y(n, out);
    packed.forward(x, bias, y, epilogue);
    return y;
  }
  MatrixF vjp(const Epilogue& epilogue = {}) const {
    MatrixF result(n, in);
    packed.vjp(cotangent, result, epilogue);
    return result;
  }
};

TEST_P(PackedWeightsOf, MultiplyLikeAProductInDouble) {
  Matrix expected = x.cast<double>() * W.cast<double>().transpose();
  expected.rowwise() += bias.cast<double>();
  EXPECT_LT(relative_error(forward(), expected), 2e-6);
  EXPECT_LT(relative_error(vjp(), cotangent.cast<double>() * W.cast<double>()), 2e-6);
}

TEST_P(PackedWeightsOf, GiveTheSameBitsWithAnyNumberOfThreads) {
  const int before = available_threads();
  set_thread_count(1);
  const MatrixF y = forward(), x_cotangent = vjp();
  for (const int threads : {2, 4}) {
    set_thread_count(threads);
    EXPECT_EQ(forward(), y) << threads << " threads";
    EXPECT_EQ(vjp(), x_cotangent) << threads << " threads";
  }
  set_thread_count(before);
}

// One changed row is computed alone and must be what it is among others.
TEST_P(PackedWeightsOf, GiveARowAloneTheBitsItHasInAText) {
  MatrixF alone(1, out);
  packed.forward(x.bottomRows(1), bias, alone);
  EXPECT_EQ(alone, forward().bottomRows(1));
}

TEST_P(PackedWeightsOf, ShowTheEpilogueEveryEntryOnce) {
  const MatrixF y = forward(), x_cotangent = vjp();
  const auto add_one_to = [](const MatrixF& plain) {
    return [&plain](MatrixFRef block, Index row, Index column) {
      EXPECT_EQ(block, plain.block(row, column, block.rows(), block.cols()));
      block.array() += 1;
    };
  };
  EXPECT_EQ(forward(add_one_to(y)), (y.array() + 1).matrix());
  EXPECT_EQ(vjp(add_one_to(x_cotangent)), (x_cotangent.array() + 1).matrix());
}

TEST_P(PackedWeightsOf, GiveBackTheRowsOfTheMatrix) {
  EXPECT_EQ(packed.rows(0, out), W);
  EXPECT_EQ(packed.rows(out / 2, out - out / 2), W.bottomRows(out - out / 2));
  EXPECT_EQ(packed.size(), W.size());
}

INSTANTIATE_TEST_SUITE_P(Shapes, PackedWeightsOf,
                         testing::Values(Shape{1, 1, 1}, Shape{1, 384, 768}, Shape{7, 65, 193}, Shape{300, 130, 500},
                                         Shape{257, 96, 1540}, Shape{128, 700, 1}, Shape{1100, 33, 161},
                                         Shape{49, 51, 50}),
                         [](const auto& test) {
                           return std::to_string(test.param.n) + "x" + std::to_string(test.param.in) + "x" +
                                  std::to_string(test.param.out);
                         });

// Every entry is within the error that rounding can cause: the depth times half a unit of the sum of magnitudes.
void expect_product(const MatrixF& got, const Matrix& A, const Matrix& B, const std::string& what) {
  const double rounding = static_cast<double>(A.cols()) * 0x1p-24;
  const Matrix error = (got.cast<double>() - A * B).cwiseAbs(), bound = rounding * (A.cwiseAbs() * B.cwiseAbs());
  EXPECT_TRUE((error.array() <= bound.array()).all()) << what;
}

TEST(PackedWeights, MultiplyEveryRemainderOfATile) {
  for (Index n = 1; n <= 17; ++n)
    for (const Index out : {1, 3, 4, 15, 16, 17, 31, 33, 47, 48, 49, 65})
      for (const Index in : {1, 5, 16, 19, 48, 50}) {
        const MatrixF W = random_matrix(out, in, 1), x = random_matrix(n, in, 2), cotangent = random_matrix(n, out, 3);
        const PackedWeights packed(W);
        MatrixF y(n, out), x_cotangent(n, in);
        packed.forward(x, RowF::Zero(out), y);
        packed.vjp(cotangent, x_cotangent);
        const std::string what = fmt::format("n {}, out {}, in {}", n, out, in);
        expect_product(y, x.cast<double>(), W.cast<double>().transpose(), "forward, " + what);
        expect_product(x_cotangent, cotangent.cast<double>(), W.cast<double>(), "vjp, " + what);
      }
}

// Rows of any type: random bytes are valid blocks once their scales (f16) are finite.
std::vector<std::byte> random_rows(const std::string& dtype, Index rows, Index columns, unsigned seed) {
  const GgufType& type = *find_gguf_type(dtype);
  const size_t blocks = static_cast<size_t>(rows * columns) / type.block_values;
  std::vector<std::byte> bytes(blocks * type.block_bytes);
  const MatrixF values = random_matrix(1, static_cast<Index>(bytes.size()), seed);
  for (size_t k = 0; k < bytes.size(); ++k)
    bytes[k] = static_cast<std::byte>(static_cast<int>(values(0, static_cast<Index>(k)) * 1000) & 0xff);
  const auto put_half = [&](size_t at, std::uint16_t bits) {
    bytes[at] = static_cast<std::byte>(bits & 0xff);
    bytes[at + 1] = static_cast<std::byte>(bits >> 8);
  };
  for (size_t block = 0; block < blocks; ++block) {
    const size_t at = block * type.block_bytes;
    const float value = values(0, static_cast<Index>(at));
    if (dtype == "F16") put_half(at, f16_from_float(value));
    if (dtype == "BF16") put_half(at, bf16_from_float(value));
    if (dtype == "F32") std::memcpy(bytes.data() + at, &value, sizeof value);
    if (dtype == "Q8_0" || dtype == "Q4_0") put_half(at, f16_from_float(value * 0.01F));
    if (dtype == "Q4_K" || dtype == "Q5_K") {
      put_half(at, f16_from_float(value * 0.001F));
      put_half(at + 2, f16_from_float(value * 0.002F));
    }
    if (dtype == "Q6_K") put_half(at + type.block_bytes - 2, f16_from_float(value * 0.001F));
  }
  return bytes;
}

struct StoredParts {
  std::vector<StoredMatrix> parts;
  MatrixF floats;  // all rows

  void add(const std::string& dtype, Index rows, Index columns) {
    const auto bytes = std::make_shared<std::vector<std::byte>>(
        random_rows(dtype, rows, columns, static_cast<unsigned>(parts.size() + 1)));
    const size_t row_bytes = bytes->size() / static_cast<size_t>(rows);
    MatrixF values(rows, columns);
    gguf_blocks_to_f32(dtype, *bytes, {values.data(), static_cast<size_t>(values.size())});
    floats.conservativeResize(floats.rows() + rows, columns);
    floats.bottomRows(rows) = values;
    parts.push_back({dtype, rows, columns, [bytes, row_bytes](Index first, Index count, std::span<std::byte> to) {
                       ASSERT_EQ(to.size(), static_cast<size_t>(count) * row_bytes);
                       std::copy_n(bytes->begin() + first * static_cast<Index>(row_bytes), to.size(), to.begin());
                     }});
  }
};

class StoredWeights : public testing::TestWithParam<std::vector<std::string>> {};

// Widening is exact, so that nothing but the memory may differ.
TEST_P(StoredWeights, HaveTheBitsOfWidenedOnes) {
  // Rows are whole blocks: of 256 values, or of 32 and less.
  const bool large = std::ranges::any_of(
      GetParam(), [](const std::string& dtype) { return find_gguf_type(dtype)->block_values == 256; });
  for (const Index columns : large ? std::vector<Index>{256, 768} : std::vector<Index>{32, 96, 512}) {
    StoredParts stored;
    for (const std::string& dtype : GetParam()) stored.add(dtype, stored.parts.empty() ? 70 : 53, columns);
    ASSERT_TRUE(stored.floats.allFinite());
    const PackedWeights plain(stored.floats), kept = PackedWeights::as_stored(stored.parts),
                                              widened = PackedWeights::widened(stored.parts);
    const Index out = stored.floats.rows();
    EXPECT_EQ(kept.rows(0, out), stored.floats);
    EXPECT_EQ(widened.rows(0, out), stored.floats);
    for (const Index n : {1, 2, 3, 7, 8, 9, 17, 128}) {
      const MatrixF x = random_matrix(n, columns, 7), cotangent = random_matrix(n, out, 8);
      const RowF bias = random_row(out, 9, 1.F);
      MatrixF y(n, out), y_kept(n, out), back(n, columns), back_kept(n, columns);
      plain.forward(x, bias, y);
      plain.vjp(cotangent, back);
      for (const PackedWeights* weights : {&kept, &widened}) {
        weights->forward(x, bias, y_kept);
        weights->vjp(cotangent, back_kept);
        EXPECT_EQ(y, y_kept) << n << " rows";
        EXPECT_EQ(back, back_kept) << n << " rows";
      }
    }
  }
}

// A product with the unit matrix shows the weights: few rows at a time as they are when they go into the registers,
// many as a panel of floats. The scales go through the sizes that f16 has, smallest and largest included.
void expect_values_with_scales_of_any_size(const std::string& dtype) {
  constexpr Index kColumns = 512, kOut = 66;
  const GgufType& type = *find_gguf_type(dtype);
  std::vector<std::byte> bytes = random_rows(dtype, kOut, kColumns, 5);
  const std::array<std::uint16_t, 8> scales = {0x0000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3c01, 0x7bff, 0xfbff};
  size_t next = 0;
  for (size_t at = 0; at < bytes.size(); at += type.block_bytes) {
    const size_t first = dtype == "Q6_K" ? at + 208 : at;
    for (size_t k = first; k < first + (dtype == "Q4_K" || dtype == "Q5_K" ? 4 : 2); k += 2)
      std::memcpy(bytes.data() + k, &scales.at(next++ * 3 % 8), 2);
  }
  MatrixF values(kOut, kColumns);
  gguf_blocks_to_f32(dtype, bytes, {values.data(), static_cast<size_t>(values.size())});
  const size_t row_bytes = bytes.size() / kOut;
  const PackedWeights kept =
      PackedWeights::as_stored({{dtype, kOut, kColumns, [&](Index first, Index count, std::span<std::byte> to) {
                                   std::memcpy(to.data(), bytes.data() + static_cast<size_t>(first) * row_bytes,
                                               static_cast<size_t>(count) * row_bytes);
                                 }}});
  const MatrixF unit = MatrixF::Identity(kColumns, kColumns);
  for (const Index rows : {Index{1}, Index{4}, kColumns}) {
    MatrixF shown(kColumns, kOut);
    for (Index row = 0; row < kColumns; row += rows)
      kept.forward(unit.middleRows(row, rows), {}, shown.middleRows(row, rows));
    EXPECT_EQ(shown, values.transpose()) << dtype << ", " << rows << " rows at a time";
  }
}

TEST(QuantisedWeights, HaveTheirValuesWithScalesOfAnySize) {
  for (const char* dtype : {"Q8_0", "Q4_0", "Q4_K", "Q5_K", "Q6_K"}) expect_values_with_scales_of_any_size(dtype);
}

TEST_P(StoredWeights, TakeTheMemoryOfTheFile) {
  StoredParts stored;
  size_t bytes = 0;
  for (const std::string& dtype : GetParam()) {
    stored.add(dtype, 96, 256);  // whole panels
    bytes += 96 * stored.parts.back().row_bytes();
  }
  const bool mixed_floats = GetParam() == std::vector<std::string>{"F16", "F32"};
  EXPECT_EQ(PackedWeights::as_stored(stored.parts).bytes(), mixed_floats ? size_t{2} * 96 * 256 * 4 : bytes);
  EXPECT_EQ(PackedWeights::widened(stored.parts).bytes(), stored.parts.size() * 96 * 256 * 4);
}

INSTANTIATE_TEST_SUITE_P(Types, StoredWeights,
                         testing::Values(std::vector<std::string>{"F32"}, std::vector<std::string>{"F16"},
                                         std::vector<std::string>{"BF16", "BF16"}, std::vector<std::string>{"Q8_0"},
                                         std::vector<std::string>{"Q4_0"}, std::vector<std::string>{"Q4_K"},
                                         std::vector<std::string>{"Q5_K"}, std::vector<std::string>{"Q6_K"},
                                         std::vector<std::string>{"Q4_K", "Q4_K", "Q6_K"},
                                         std::vector<std::string>{"Q4_K", "F32", "F16"},
                                         std::vector<std::string>{"F16", "F32"}),
                         [](const auto& test) { return fmt::format("{}", fmt::join(test.param, "_")); });

TEST(StoredMatrix, RefusesTypesAndRowsThatCannotBeRead) {
  EXPECT_THROW((StoredMatrix{"I64", 1, 256, {}}.row_bytes()), DataError);
  EXPECT_THROW((StoredMatrix{"Q4_K", 1, 100, {}}.row_bytes()), DataError);
  EXPECT_EQ((StoredMatrix{"Q8_0", 1, 64, {}}.row_bytes()), 68U);
}

}  // namespace
}  // namespace wordsway::test
