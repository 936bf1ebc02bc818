#include "wordsway/io/gguf_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "wordsway/core/error.h"
#include "wordsway/io/half_float.h"

namespace wordsway {
namespace {

static_assert(std::endian::native == std::endian::little, "blocks are used as they are in the file");

// The blocks as they are in the file, at any address: all their members are bytes. `values` is __restrict, because
// bytes may alias anything else, also the floats that are written, and the loops over 16 or 32 values should become
// vector instructions.

struct F16 {
  std::uint8_t bytes[2];
  float value() const { return float_from_f16(static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8)); }
};

struct BlockQ8 {
  static constexpr size_t kValues = 32;
  F16 d;
  std::int8_t q[32];

  void decode(float* __restrict values) const {
    const float scale = d.value();
    for (size_t j = 0; j < 32; ++j) values[j] = scale * static_cast<float>(q[j]);
  }
};

struct BlockQ4 {
  static constexpr size_t kValues = 32;
  F16 d;
  std::uint8_t q[16];  // two values each: j in the lower half, j + 16 in the upper one

  void decode(float* __restrict values) const {
    const float scale = d.value();
    for (size_t j = 0; j < 16; ++j) values[j] = scale * static_cast<float>((q[j] & 15) - 8);
    for (size_t j = 0; j < 16; ++j) values[16 + j] = scale * static_cast<float>((q[j] >> 4) - 8);
  }
};

// The 6-bit scales s and t of the eight runs of 32 values in a block of Q4_K or Q5_K.
struct RunScales {
  std::uint8_t packed[12];

  float s(size_t run) const {
    return static_cast<float>(run < 4 ? packed[run] & 63 : (packed[run + 4] & 15) | (packed[run - 4] >> 6 << 4));
  }
  float t(size_t run) const {
    return static_cast<float>(run < 4 ? packed[run + 4] & 63 : (packed[run + 4] >> 4) | (packed[run] >> 6 << 4));
  }
};

struct BlockQ4K {
  static constexpr size_t kValues = 256;
  F16 d, m;
  RunScales scales;
  std::uint8_t q[4][32];  // two runs each: the lower halves, then the upper ones

  void decode(float* __restrict values) const {
    const float scale = d.value(), least = m.value();
    for (size_t run = 0; run < 8; ++run) {
      const float step = scale * scales.s(run), shift = least * scales.t(run);
      const size_t half = run % 2 * 4;
      for (size_t j = 0; j < 32; ++j)
        values[32 * run + j] = step * static_cast<float>(q[run / 2][j] >> half & 15) - shift;
    }
  }
};

struct BlockQ5K {
  static constexpr size_t kValues = 256;
  F16 d, m;
  RunScales scales;
  std::uint8_t high[32];  // bit r of byte j is the fifth bit of value j of run r
  std::uint8_t q[4][32];

  void decode(float* __restrict values) const {
    const float scale = d.value(), least = m.value();
    for (size_t run = 0; run < 8; ++run) {
      const float step = scale * scales.s(run), shift = least * scales.t(run);
      const size_t half = run % 2 * 4;
      for (size_t j = 0; j < 32; ++j) {
        const int value = (q[run / 2][j] >> half & 15) | (high[j] >> run & 1) << 4;
        values[32 * run + j] = step * static_cast<float>(value) - shift;
      }
    }
  }
};

struct BlockQ6K {
  static constexpr size_t kValues = 256;
  std::uint8_t low[2][2][32];  // of 128 values: runs 0 and 1 in the lower halves, 2 and 3 in the upper ones
  std::uint8_t high[2][32];    // of 128 values: bits 2r and 2r + 1 of byte j belong to value j of run r
  std::int8_t scales[16];      // of 16 values each
  F16 d;

  void decode(float* __restrict values) const {
    const float scale = d.value();
    for (size_t i = 0; i < 16; ++i) {
      const float step = scale * static_cast<float>(scales[i]);
      const size_t part = i / 8, run = i / 2 % 4, half = run / 2 * 4, begin = i % 2 * 16;
      for (size_t j = 0; j < 16; ++j) {
        const int lower = low[part][run % 2][begin + j] >> half & 15;
        const int upper = high[part][begin + j] >> 2 * run & 3;
        values[16 * i + j] = step * static_cast<float>((lower | upper << 4) - 32);
      }
    }
  }
};

static_assert(sizeof(BlockQ8) == 34 && sizeof(BlockQ4) == 18, "blocks have no padding");
static_assert(sizeof(BlockQ4K) == 144 && sizeof(BlockQ5K) == 176 && sizeof(BlockQ6K) == 210, "these have none either");

template <typename Block>
void decode_all(std::span<const std::byte> bytes, std::span<float> values) {
  static_assert(alignof(Block) == 1);
  const auto* blocks = reinterpret_cast<const Block*>(bytes.data());
  for (size_t i = 0; i < values.size() / Block::kValues; ++i) blocks[i].decode(values.data() + i * Block::kValues);
}

void copy_all(std::span<const std::byte> bytes, std::span<float> values) {
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
}

// Sizes as in ggml-common.h of llama.cpp. Types without a function are known but not read.
constexpr std::array kTypes = {
    GgufType{0, "F32", 1, 4, copy_all},
    GgufType{1, "F16", 1, 2, widen_f16},
    GgufType{2, "Q4_0", 32, 18, decode_all<BlockQ4>},
    GgufType{3, "Q4_1", 32, 20},
    GgufType{6, "Q5_0", 32, 22},
    GgufType{7, "Q5_1", 32, 24},
    GgufType{8, "Q8_0", 32, 34, decode_all<BlockQ8>},
    GgufType{9, "Q8_1", 32, 36},
    GgufType{10, "Q2_K", 256, 84},
    GgufType{11, "Q3_K", 256, 110},
    GgufType{12, "Q4_K", 256, 144, decode_all<BlockQ4K>},
    GgufType{13, "Q5_K", 256, 176, decode_all<BlockQ5K>},
    GgufType{14, "Q6_K", 256, 210, decode_all<BlockQ6K>},
    GgufType{15, "Q8_K", 256, 292},
    GgufType{16, "IQ2_XXS", 256, 66},
    GgufType{17, "IQ2_XS", 256, 74},
    GgufType{18, "IQ3_XXS", 256, 98},
    GgufType{19, "IQ1_S", 256, 50},
    GgufType{20, "IQ4_NL", 32, 18},
    GgufType{21, "IQ3_S", 256, 110},
    GgufType{22, "IQ2_S", 256, 82},
    GgufType{23, "IQ4_XS", 256, 136},
    GgufType{24, "I8", 1, 1},
    GgufType{25, "I16", 1, 2},
    GgufType{26, "I32", 1, 4},
    GgufType{27, "I64", 1, 8},
    GgufType{28, "F64", 1, 8},
    GgufType{29, "IQ1_M", 256, 56},
    GgufType{30, "BF16", 1, 2, widen_bf16},
    GgufType{31, "Q4_0_4_4", 32, 18},  // this type and the next two are no longer written
    GgufType{32, "Q4_0_4_8", 32, 18},
    GgufType{33, "Q4_0_8_8", 32, 18},
    GgufType{34, "TQ1_0", 256, 54},
    GgufType{35, "TQ2_0", 256, 66},
    GgufType{36, "IQ4_NL_4_4", 32, 18},  // these three are no longer written either
    GgufType{37, "IQ4_NL_4_8", 32, 18},
    GgufType{38, "IQ4_NL_8_8", 32, 18},
    GgufType{39, "MXFP4", 32, 17},
    GgufType{40, "NVFP4", 64, 36},
    GgufType{41, "Q1_0", 128, 18},
    GgufType{42, "Q2_0", 64, 18},
};

template <typename Holds>
const GgufType* find_type(Holds holds) {
  const auto* const found = std::find_if(kTypes.begin(), kTypes.end(), holds);
  return found == kTypes.end() ? nullptr : found;
}

}  // namespace

const GgufType* find_gguf_type(std::uint32_t number) {
  return find_type([&](const GgufType& type) { return type.number == number; });
}

const GgufType* find_gguf_type(std::string_view name) {
  return find_type([&](const GgufType& type) { return type.name == name; });
}

bool is_readable_gguf_type(std::string_view name) {
  const GgufType* const type = find_gguf_type(name);
  return type != nullptr && type->decode != nullptr;
}

std::vector<std::string> readable_gguf_types() {
  std::vector<std::string> names;
  for (const GgufType& type : kTypes)
    if (type.decode != nullptr) names.emplace_back(type.name);
  return names;
}

void gguf_blocks_to_f32(std::string_view name, std::span<const std::byte> bytes, std::span<float> values) {
  const GgufType* type = find_gguf_type(name);
  ensure(type != nullptr && type->decode != nullptr, "the type of a tensor is checked before its conversion");
  const size_t blocks = bytes.size() / type->block_bytes;
  ensure(blocks * type->block_bytes == bytes.size() && blocks * type->block_values == values.size(),
         "a conversion has as many blocks in as out");
  type->decode(bytes, values);
}

}  // namespace wordsway
