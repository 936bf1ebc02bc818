// The device that computes, and its precision.
#pragma once

#include <string>

namespace wordsway {

class Record;

enum class DeviceKind { kCpu, kCuda };

/// The precision of matrix products on a GPU; results are always float32.
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
/// Both by name. Throws UsageError as these do, and where the processor is to have another precision than f32.
Device device_given(const std::string& kind, const std::string& precision);
std::string to_string(DeviceKind kind);
std::string to_string(Precision precision);

/// "device" and "precision", as rows and journals have them; nothing of the processor, which has never said so.
Record fields_of(const Device& device);

}  // namespace wordsway
