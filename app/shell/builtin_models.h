// The places of the data that come with wordsway.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace wordsway::app {

/// Models that come with wordsway, as -m and their folders are called: an encoder and a decoder.
inline constexpr const char *kBuiltinEncoder = "builtin", *kBuiltinDecoder = "builtin-decoder";

/// Small encoders that were trained alike but for the normaliser of their attention, as their folders in
/// models/normalisers are called: softmax-0.25-seed-1, …; -m takes them as builtin-NAME.
std::vector<std::string> normaliser_models();
/// The folder of built-in models that `name` means as the value of -m; empty if it means none.
std::string builtin_folder_named(const std::string& name);

/// The folder of a built-in model: below $WORDSWAY_DATA, then beside the installed program, or, if the program is not
/// installed, in the source tree it was built from. Throws FileError naming the places if there is none.
std::filesystem::path builtin_model_folder(const std::string& name = kBuiltinEncoder);
/// Whether builtin_model_folder finds the model that `-m name` means.
bool has_builtin_model(const std::string& name);
/// Why the figure on normaliser_models() cannot be made; empty where all of them are there.
std::string normalisers_missing();

}  // namespace wordsway::app
