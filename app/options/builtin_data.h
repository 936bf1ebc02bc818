// Where the data that come with wordsway are.
#pragma once

#include <filesystem>
#include <string>

namespace wordsway::app {

/// Models that come with wordsway, as -m and their folders are called: an encoder and a decoder.
inline constexpr const char *kBuiltinEncoder = "builtin", *kBuiltinDecoder = "builtin-decoder";

/// The folder of a built-in model: below $WORDSWAY_DATA, relative to the installed program, or in the source tree the
/// program was built from. Throws FileError naming the places when it is nowhere.
std::filesystem::path builtin_model_folder(const std::string& name = kBuiltinEncoder);

}  // namespace wordsway::app
