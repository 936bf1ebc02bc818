#include "output/folders.h"

#include <system_error>

#include <fmt/format.h>

#include "wordsway/core/error.h"

namespace wordsway::app {

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && !std::filesystem::is_directory(folder, error)) error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw FileError(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
}

}  // namespace wordsway::app
