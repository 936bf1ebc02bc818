// Any bytes are either keys and tensors that can be read to their last value or a DataError.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "wordsway/core/error.h"
#include "wordsway/io/gguf_blocks.h"
#include "wordsway/io/gguf_header.h"

namespace {

template <typename Read>
void try_read(Read read) {
  try {
    read();
  } catch (const wordsway::DataError&) {
  }
}

// Reads the key as every type in turn; types that do not match the value refuse it.
void read_key(const wordsway::GgufMetadata& metadata, const std::string& key) {
  try_read([&] { metadata.text(key); });
  try_read([&] { metadata.flag(key); });
  try_read([&] { metadata.integer(key); });
  try_read([&] { metadata.number(key); });
  try_read([&] { metadata.texts(key); });
  try_read([&] { metadata.flags(key); });
  try_read([&] { metadata.integers(key); });
  try_read([&] { metadata.numbers(key); });
}

void read_tensor(std::span<const std::byte> file, const wordsway::TensorInfo& info) {
  if (info.offset > file.size() || info.size > file.size() - info.offset) std::abort();
  if (!wordsway::is_readable_gguf_type(info.dtype)) return;
  std::vector<float> values(static_cast<std::size_t>(info.count));
  wordsway::gguf_blocks_to_f32(info.dtype, file.subspan(info.offset, info.size), values);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = std::as_bytes(std::span(data, size));
  try_read([&] {
    const wordsway::GgufHeader header = wordsway::parse_gguf_header(file, "fuzz");
    for (const std::string& key : header.metadata.keys()) read_key(header.metadata, key);
    for (const auto& [name, info] : header.tensors) read_tensor(file, info);
  });
  return 0;
}
