#include "wordsway/io/output_paths.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& reason) {
  throw FileError(fmt::format("cannot write {}: {}", path.string(), reason));
}

// `what` is what may not be written; `path` is what the user named.
void check_access(const fs::path& what, int mode, const fs::path& path) {
  if (access(what.c_str(), mode) != 0) refuse(path, std::generic_category().message(errno));
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// A new file, or one that is replaced by a new one, needs a folder that takes new names.
void check_folder_of(const fs::path& file, const fs::path& path) {
  const fs::path folder = folder_of(file);
  std::error_code ignored;
  const fs::file_status status = fs::status(folder, ignored);
  if (status.type() == fs::file_type::not_found) refuse(path, fmt::format("there is no folder {}", folder.string()));
  if (fs::exists(status) && !fs::is_directory(status)) refuse(path, folder.string() + " is not a folder");
  check_access(folder, W_OK | X_OK, path);
}

void check_file(const std::string& name, WriteMode mode) {
  if (name.empty()) return;
  const fs::path path(name);
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::none) refuse(path, error.message());
  if (fs::is_directory(status) || !path.has_filename()) refuse(path, "it is a folder; give the name of a file");
  // Devices and pipes are never replaced.
  const bool in_place = mode == WriteMode::kInPlace || !fs::is_regular_file(status);
  if (fs::exists(status) && in_place) return check_access(path, W_OK, path);
  // A symbolic link stays one: the file it points to is written.
  const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
  check_folder_of(error || target.empty() ? path : target, path);
}

}  // namespace

void check_output_file(const fs::path& path, WriteMode mode) {
  check_file(path.string(), mode);
}

void check_output_arrays(const fs::path& path) {
  if (path.extension() == ".npy") return check_output_file(path, WriteMode::kReplaced);
  check_output_folder(path);
}

void check_output_folder(const fs::path& folder) {
  if (folder.empty()) return;
  fs::path there = folder;
  std::error_code error;
  fs::file_status status = fs::status(there, error);
  // Missing folders will be made, in the first folder above them that exists.
  while (status.type() == fs::file_type::not_found && there != folder_of(there)) {
    there = folder_of(there);
    status = fs::status(there, error);
  }
  if (status.type() == fs::file_type::none) refuse(folder, error.message());
  if (!fs::is_directory(status)) refuse(folder, there.string() + " is not a folder");
  check_access(there, W_OK | X_OK, folder);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error && !fs::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
}

}  // namespace wordsway
