// Strings as bytes, for tests that write files down as literals.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace wordsway::test {

/// The view must outlive the result.
inline std::span<const std::byte> as_bytes(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// Throw std::runtime_error when the file cannot be read or written.
std::string read_bytes(const std::filesystem::path& path);
void write_bytes(const std::filesystem::path& path, std::string_view content);

}  // namespace wordsway::test
