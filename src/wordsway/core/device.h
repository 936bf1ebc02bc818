// Where numbers are computed, and how exactly there.
#pragma once

#include <string>

namespace wordsway {

enum class DeviceKind { kCpu, kCuda };

/// Of matrix products on a GPU; results are float32 in any case.
enum class Precision {
  kF32,   // as accurate as float32: three TF32 products
  kTf32,  // operands rounded to 11 bits
  kBf16,  // operands rounded to 8 bits
};

struct Device {
  DeviceKind kind = DeviceKind::kCpu;
  Precision precision = Precision::kF32;

  bool is_cpu() const { return kind == DeviceKind::kCpu; }
  bool operator==(const Device&) const = default;
};

/// "cpu", "cuda"; "f32", "tf32", "bf16". Throw UsageError naming what there is.
DeviceKind device_named(const std::string& name);
Precision precision_named(const std::string& name);
std::string to_string(DeviceKind kind);
std::string to_string(Precision precision);

}  // namespace wordsway
