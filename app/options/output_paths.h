// Files and folders that results go to. They are checked before anything is computed, so that no one waits an hour for
// a result that cannot be written. A check creates nothing; it is no promise, since a disk may fill up meanwhile.
//
// Under MPI only the first process writes, so only the first one checks.
#pragma once

#include <filesystem>
#include <string>

#include "options/common.h"

namespace CLI {
class App;
}

namespace wordsway::app {

/// Adds an option for a file to write. As soon as the command line is read, throws FileError when the path is a folder,
/// when its folder does not exist, or when nothing may be written there.
void add_output_option(CLI::App& command, const std::string& flags, std::string& path, const std::string& description);

/// The same for a journal, which is written in place: an existing one must be writable itself.
void add_journal_option(CLI::App& command, std::string& path, const std::string& description);

/// The same for a file whose name ends in .npy, or else for a folder of such files.
void add_arrays_option(CLI::App& command, const std::string& flags, std::string& path, const std::string& description);

/// Throws FileError when `folder` is not there and cannot be made, or is there and nothing may be written in it.
void check_output_folder(const std::filesystem::path& folder);

/// Makes the folder and those above it. Throws FileError when that fails or something else is in its place.
void make_folder(const std::filesystem::path& folder);

}  // namespace wordsway::app
