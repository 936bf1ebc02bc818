#include "wordsway/io/safetensors_dtype.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/io/half_float.h"

namespace wordsway {
namespace {

static_assert(std::endian::native == std::endian::little, "weights are used as they lie in the file");

struct DtypeGroup {
  size_t bits;
  std::vector<std::string_view> names;
};

const std::vector<DtypeGroup>& dtype_groups() {
  static const std::vector<DtypeGroup> groups = {
      {4, {"F4"}},
      {6, {"F6_E2M3", "F6_E3M2"}},
      {8, {"BOOL", "U8", "I8", "F8_E4M3", "F8_E5M2", "F8_E8M0", "F8_E4M3FNUZ", "F8_E5M2FNUZ"}},
      {16, {"U16", "I16", "F16", "BF16"}},
      {32, {"U32", "I32", "F32"}},
      {64, {"U64", "I64", "F64", "C64"}},
  };
  return groups;
}

template <typename Widen>
void widen_all(std::span<const std::byte> bytes, std::span<float> values, Widen widen) {
  for (size_t i = 0; i < values.size(); ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data() + 2 * i, sizeof(bits));
    values[i] = widen(bits);
  }
}

}  // namespace

size_t dtype_bits(std::string_view dtype) {
  for (const DtypeGroup& group : dtype_groups()) {
    if (std::find(group.names.begin(), group.names.end(), dtype) != group.names.end()) return group.bits;
  }
  return 0;
}

bool is_convertible_to_f32(std::string_view dtype) {
  return dtype == "F32" || dtype == "F16" || dtype == "BF16";
}

void convert_to_f32(std::string_view dtype, std::span<const std::byte> bytes, std::span<float> values) {
  ensure(is_convertible_to_f32(dtype), "a dtype is checked before its conversion");
  ensure(bytes.size() == values.size() * dtype_bits(dtype) / 8, "a conversion has as many values in as out");
  if (values.empty()) return;
  if (dtype == "F32") {
    std::memcpy(values.data(), bytes.data(), bytes.size());
  } else if (dtype == "F16") {
    widen_all(bytes, values, [](std::uint16_t bits) { return float_from_f16(bits); });
  } else {
    widen_all(bytes, values, [](std::uint16_t bits) { return float_from_bf16(bits); });
  }
}

}  // namespace wordsway
