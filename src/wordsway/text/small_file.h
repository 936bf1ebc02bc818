// Whole files in memory: tokenizer files, reviews.
#pragma once

#include <filesystem>
#include <string>

namespace wordsway {

/// The bytes of a file. Throws FileError when it cannot be read, DataError when it has more than 512 MiB.
std::string read_small_file(const std::filesystem::path& file);

}  // namespace wordsway
