// Where the data that come with wordsway are.
#pragma once

#include <filesystem>

namespace wordsway::app {

/// The folder of the built-in model: below $WORDSWAY_DATA, relative to the installed program, or in the source tree the
/// program was built from. Throws FileError naming the places when it is nowhere.
std::filesystem::path builtin_model_folder();

}  // namespace wordsway::app
