#include "wordsway/core/device.h"

#include "wordsway/core/error.h"

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

std::string to_string(DeviceKind kind) {
  return kind == DeviceKind::kCpu ? "cpu" : "cuda";
}

std::string to_string(Precision precision) {
  return precision == Precision::kF32 ? "f32" : precision == Precision::kTf32 ? "tf32" : "bf16";
}

}  // namespace wordsway
