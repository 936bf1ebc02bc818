// Files and folders that results go to. They are checked before anything is computed, so that nobody waits an hour for
// a result that cannot be written. A check creates nothing and promises nothing, since a disk may fill up meanwhile.
#pragma once

#include <filesystem>

namespace wordsway {

/// A new file takes the place of an old one; a journal is written in place and must be writable itself.
enum class WriteMode { kReplaced, kInPlace };

/// Throws FileError when the path is a folder, when its folder does not exist, or when nothing may be written there.
void check_output_file(const std::filesystem::path& path, WriteMode mode = WriteMode::kReplaced);

/// Checks a file whose name ends in .npy as check_output_file does, or else a folder of such files.
void check_output_arrays(const std::filesystem::path& path);

/// Throws FileError when `folder` does not exist and cannot be made, or nothing may be written in it.
void check_output_folder(const std::filesystem::path& folder);

/// Makes the folder and those above it. Throws FileError when that fails or something else is in its place.
void make_folder(const std::filesystem::path& folder);

}  // namespace wordsway
