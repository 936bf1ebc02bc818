// The JSON files of a sentence-transformers folder as one string: separated by NUL bytes, in this order.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

inline constexpr std::array<std::string_view, 5> kSentenceFiles{"modules.json", "1_Pooling/config.json",
                                                                "config_sentence_transformers.json",
                                                                "sentence_bert_config.json", "2_Dense/config.json"};

/// Writes them into a folder; a file beyond the last separator is left out.
inline void write_sentence_files(const std::filesystem::path& folder, std::string_view bytes) {
  for (const std::string_view name : kSentenceFiles) {
    const std::filesystem::path file = folder / name;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::remove(file);
    if (bytes.data() == nullptr) continue;
    const std::size_t end = bytes.find('\0');
    std::ofstream(file, std::ios::binary) << bytes.substr(0, end);
    bytes = end == bytes.npos ? std::string_view() : bytes.substr(end + 1);
  }
}
