// Where things are. The paths are compiled into one file, so that a second clone finds all others in ccache.
#pragma once

#include <filesystem>

namespace wordsway::test {

/// The root of the source tree.
std::filesystem::path source_folder();
/// The program under test.
std::filesystem::path program_path();

}  // namespace wordsway::test
