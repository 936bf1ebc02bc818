// Folders that results go to.
#pragma once

#include <filesystem>

namespace wordsway::app {

/// Makes the folder and those above it. Throws FileError when that fails or something else is in its place.
void make_folder(const std::filesystem::path& folder);

}  // namespace wordsway::app
