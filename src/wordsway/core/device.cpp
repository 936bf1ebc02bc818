#include "wordsway/core/device.h"

#include "wordsway/core/error.h"
#include "wordsway/core/record.h"

namespace wordsway {

DeviceKind device_named(const std::string& name) {
  if (name == "cpu") return DeviceKind::kCpu;
  if (name == "cuda") return DeviceKind::kCuda;
  throw UsageError("unknown device '" + name + "'; there are: cpu, cuda");
}

Precision precision_named(const std::string& name) {
  if (name == "f32") return Precision::kF32;
  if (name == "tf32") return Precision::kTf32;
  if (name == "bf16") return Precision::kBf16;
  throw UsageError("unknown precision '" + name + "'; there are: f32, tf32, bf16");
}

Device device_given(const std::string& kind, const std::string& precision) {
  const Device device{device_named(kind), precision_named(precision)};
  if (device.is_cpu() && device.precision != Precision::kF32)
    throw UsageError("the precision '" + precision + "' is for products on a GPU");
  return device;
}

std::string to_string(DeviceKind kind) {
  return kind == DeviceKind::kCpu ? "cpu" : "cuda";
}

std::string to_string(Precision precision) {
  return precision == Precision::kF32 ? "f32" : precision == Precision::kTf32 ? "tf32" : "bf16";
}

Record fields_of(const Device& device) {
  if (device.is_cpu()) return {};
  return {{"device", to_string(device.kind)}, {"precision", to_string(device.precision)}};
}

}  // namespace wordsway
