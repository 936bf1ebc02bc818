// GGUF files put together from their parts, right or wrong.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace wordsway::test {

template <typename T>
std::string number_bytes(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

inline std::string u32(std::uint32_t value) {
  return number_bytes(value);
}

inline std::string u64(std::uint64_t value) {
  return number_bytes(value);
}

inline std::string text(const std::string& value) {
  return u64(value.size()) + value;
}

/// `value` is what follows the number of the type.
inline std::string gguf_key(const std::string& key, std::uint32_t type, const std::string& value) {
  return text(key) + u32(type) + value;
}

inline std::string gguf_u32(const std::string& key, std::uint32_t value) {
  return gguf_key(key, 4, u32(value));
}

inline std::string gguf_f32(const std::string& key, float value) {
  return gguf_key(key, 6, number_bytes(value));
}

inline std::string gguf_flag(const std::string& key, bool value) {
  return gguf_key(key, 7, std::string(1, value ? '\1' : '\0'));
}

inline std::string gguf_text(const std::string& key, const std::string& value) {
  return gguf_key(key, 8, text(value));
}

inline std::string gguf_texts(const std::string& key, const std::vector<std::string>& values) {
  std::string bytes = u32(8) + u64(values.size());
  for (const std::string& value : values) bytes += text(value);
  return gguf_key(key, 9, bytes);
}

inline std::string gguf_i32s(const std::string& key, const std::vector<std::int32_t>& values) {
  std::string bytes = u32(5) + u64(values.size());
  for (const std::int32_t value : values) bytes += number_bytes(value);
  return gguf_key(key, 9, bytes);
}

inline std::string gguf_f32s(const std::string& key, const std::vector<float>& values) {
  std::string bytes = u32(6) + u64(values.size());
  for (const float value : values) bytes += number_bytes(value);
  return gguf_key(key, 9, bytes);
}

/// Extents as in the file: the fastest first.
inline std::string gguf_tensor(const std::string& name, const std::vector<std::uint64_t>& extents, std::uint32_t type,
                               std::uint64_t offset) {
  std::string bytes = text(name) + u32(static_cast<std::uint32_t>(extents.size()));
  for (const std::uint64_t extent : extents) bytes += u64(extent);
  return bytes + u32(type) + u64(offset);
}

/// A good file as it is: one key, the alignment, and the tensors a, F32 (1, 2), and b, Q8_0 (32,).
struct GgufParts {
  std::string magic = "GGUF";
  std::uint32_t version = 3;
  std::vector<std::string> keys = {gguf_key("general.alignment", 4, u32(16))};
  std::vector<std::string> tensors = {gguf_tensor("a", {2, 1}, 0, 0), gguf_tensor("b", {32}, 8, 16)};
  std::string data = std::string("\0\0\x80\x3f\0\0\0\x40", 8) + std::string(8, '\0') + std::string("\0\x3c", 2) +
                     std::string(32, '\3');
  size_t alignment = 16;  // where the data begin; what the file says is among its keys
  std::uint64_t key_count = keys.size(), tensor_count = tensors.size();

  std::string bytes() const {
    std::string file = magic + u32(version) + u64(tensor_count) + u64(key_count);
    for (const std::string& key : keys) file += key;
    for (const std::string& tensor : tensors) file += tensor;
    file.resize((file.size() + alignment - 1) / alignment * alignment);
    return file + data;
  }
};

/// The good file with these keys besides its own, or these tensors instead of its own.
inline std::string gguf_with_keys(const std::vector<std::string>& keys) {
  GgufParts parts;
  parts.keys.insert(parts.keys.end(), keys.begin(), keys.end());
  parts.key_count = parts.keys.size();
  return parts.bytes();
}

inline std::string gguf_with_tensors(const std::vector<std::string>& tensors, size_t data_bytes = 64) {
  GgufParts parts;
  parts.tensors = tensors;
  parts.tensor_count = tensors.size();
  parts.data = std::string(data_bytes, '\0');
  return parts.bytes();
}

}  // namespace wordsway::test
